package dev.millrace.expressions.cron;

import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRulesProvider;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reads the text of a schedule. */
final class CronParser {

    private static final String EVERY = "@every ";

    private static final Map<String, String> DESCRIPTORS =
            Map.of(
                    "@yearly", "0 0 1 1 *",
                    "@annually", "0 0 1 1 *",
                    "@monthly", "0 0 1 * *",
                    "@weekly", "0 0 * * 0",
                    "@daily", "0 0 * * *",
                    "@midnight", "0 0 * * *",
                    "@hourly", "0 * * * *");

    private final CronOptions options;

    CronParser(CronOptions options) {
        this.options = options;
    }

    CronSchedule parse(String spec, ZoneId defaultZone) {
        if (spec.isEmpty()) {
            throw new CronSyntaxException("empty spec string");
        }
        ZoneId zone = defaultZone;
        String rest = spec;
        if (spec.startsWith("TZ=") || spec.startsWith("CRON_TZ=")) {
            int space = spec.indexOf(' ');
            int nameEnd = space < 0 ? spec.length() : space;
            zone = zone(spec.substring(spec.indexOf('=') + 1, nameEnd), defaultZone);
            rest = spec.substring(nameEnd).strip();
        }
        return rest.startsWith("@") ? descriptor(rest, zone) : fields(rest, zone);
    }

    private static ZoneId zone(String name, ZoneId defaultZone) {
        if (name.isEmpty() || name.equals("UTC")) {
            return ZoneOffset.UTC;
        }
        if (name.equals("Local")) {
            return defaultZone;
        }
        // Only names of the time zone database, as Go takes them; ZoneId.of would take offsets too.
        if (!ZoneRulesProvider.getAvailableZoneIds().contains(name)) {
            throw new CronSyntaxException(
                    "provided bad location " + name + ": unknown time zone " + name);
        }
        return ZoneId.of(name);
    }

    private CronSchedule descriptor(String text, ZoneId zone) {
        if (!options.descriptorsAllowed()) {
            throw new CronSyntaxException("parser does not accept descriptors: " + text);
        }
        String fields = DESCRIPTORS.get(text);
        if (fields != null) {
            return fields(fields, zone);
        }
        if (text.startsWith(EVERY)) {
            try {
                return new IntervalSchedule(GoDuration.parse(text.substring(EVERY.length())));
            } catch (DurationSyntaxException e) {
                throw new CronSyntaxException(
                        "failed to parse duration " + text + ": " + e.getMessage());
            }
        }
        throw new CronSyntaxException("unrecognized descriptor: " + text);
    }

    private static CronSchedule fields(String text, ZoneId zone) {
        List<String> fields =
                Arrays.stream(text.split("\\s+")).filter(field -> !field.isEmpty()).toList();
        if (fields.size() != 5) {
            throw new CronSyntaxException(
                    "expected exactly 5 fields, found "
                            + fields.size()
                            + ": ["
                            + String.join(" ", fields)
                            + "]");
        }
        return new FieldSchedule(
                String.join(" ", fields),
                CronField.MINUTE.parse(fields.get(0)),
                CronField.HOUR.parse(fields.get(1)),
                CronField.DAY_OF_MONTH.parse(fields.get(2)),
                CronField.MONTH.parse(fields.get(3)),
                CronField.DAY_OF_WEEK.parse(fields.get(4)),
                zone);
    }
}
