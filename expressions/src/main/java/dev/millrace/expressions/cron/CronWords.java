package dev.millrace.expressions.cron;

import com.cronutils.descriptor.CronDescriptor;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import java.util.Locale;

/** Puts five fields into words, by cron-utils. */
final class CronWords {

    private CronWords() {}

    /** The words; the fields themselves where cron-utils knows less than we accept. */
    static String describe(String fields, Locale locale) {
        try {
            var definition = CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX);
            var cron =
                    new com.cronutils.parser.CronParser(definition).parse(fields.replace('?', '*'));
            return CronDescriptor.instance(locale).describe(cron);
        } catch (IllegalArgumentException e) {
            // A description is a courtesy: cron-utils refuses some schedules that robfig/cron takes
            // (SUN-TUE, */90).
            return fields;
        }
    }
}
