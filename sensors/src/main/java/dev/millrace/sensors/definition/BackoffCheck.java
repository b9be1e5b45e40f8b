package dev.millrace.sensors.definition;

import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.schemas.event.Backoff;
import dev.millrace.schemas.workflow.Scalar;
import dev.millrace.schemas.yaml.DocumentPath;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Pauses that can be read: with one that cannot, nothing is ever attempted. */
final class BackoffCheck {

    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final Pattern NANOSECONDS = Pattern.compile("\\d+");

    private BackoffCheck() {}

    static Optional<SensorProblem> problem(
            @Nullable Backoff backoff, DocumentPath path, String trigger) {
        if (backoff == null) {
            return Optional.empty();
        }
        if (!isDuration(backoff.duration())) {
            return Optional.of(
                    problem(
                            path.key("duration"),
                            "invalid duration " + backoff.duration(),
                            "whole nanoseconds, or a duration such as 3s",
                            trigger));
        }
        if (!isNumber(backoff.factor())) {
            return Optional.of(
                    problem(
                            path.key("factor"),
                            "invalid factor " + backoff.factor(),
                            "a number such as 2",
                            trigger));
        }
        if (!isNumber(backoff.jitter())) {
            return Optional.of(
                    problem(
                            path.key("jitter"),
                            "invalid jitter " + backoff.jitter(),
                            "a number such as 0.5",
                            trigger));
        }
        return Optional.empty();
    }

    private static SensorProblem problem(
            DocumentPath path, String message, String hint, String trigger) {
        return new SensorProblem(
                SensorProblem.Part.TRIGGERS,
                path,
                message,
                hint,
                new SensorProblem.Effect.FailsTrigger(trigger));
    }

    private static boolean isNumber(@Nullable Scalar number) {
        return number == null || NUMBER.matcher(number.toString()).matches();
    }

    private static boolean isDuration(@Nullable Scalar duration) {
        if (duration == null || NANOSECONDS.matcher(duration.toString()).matches()) {
            return true;
        }
        try {
            return !GoDuration.parse(duration.toString()).isNegative();
        } catch (DurationSyntaxException e) {
            // The caller says what is wrong with it.
            return false;
        }
    }
}
