package dev.millrace.workflowengine.validation;

import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import tools.jackson.databind.JsonNode;

/** Durations that are written out, not made of tags. */
final class Durations {
    /** How a duration may be written. */
    enum Form {
        /** {@code 90s}. */
        WITH_UNIT,
        /** {@code 90s}, {@code 90} or {@code 2d}. */
        SECONDS_OR_DAYS
    }

    private Durations() {}

    static void check(JsonNode value, Where where, String label, Form form, Findings findings) {
        String text = value.asString("");
        if (text.isEmpty() || text.contains("{{")) {
            return;
        }
        try {
            switch (form) {
                case WITH_UNIT -> GoDuration.parse(text);
                case SECONDS_OR_DAYS -> GoDuration.parseOrSecondsOrDays(text);
            }
        } catch (DurationSyntaxException e) {
            findings.error(
                    where,
                    label + " is not a valid duration: " + e.getMessage(),
                    "write a number and a unit: 30s, 5m, 1h30m");
        }
    }
}
