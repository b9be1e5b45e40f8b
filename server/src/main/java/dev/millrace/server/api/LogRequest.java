package dev.millrace.server.api;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.millrace.executors.LogStore;
import dev.millrace.executors.StepContainer;
import dev.millrace.expressions.regex.GoRegex;
import dev.millrace.server.command.RefusedException;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which lines of a workflow's logs are asked for.
 *
 * @param step pod name or node id of one step; empty for all
 * @param container one container of the steps
 * @param tail at most so many last lines of each step; empty for all
 * @param since lines that were written then or later; null for all
 * @param timestamps whether lines begin with their time
 */
record LogRequest(
        String namespace,
        String name,
        String step,
        String container,
        boolean follow,
        Optional<Integer> tail,
        @Nullable Instant since,
        boolean timestamps,
        @Nullable Pattern grep,
        LabelSelector selector) {

    static LogRequest of(String namespace, String name, String step, Query query, Instant now) {
        String container = query.text("logOptions.container");
        return new LogRequest(
                namespace,
                name,
                step,
                container.isEmpty() ? StepContainer.MAIN : container,
                query.flag("logOptions.follow"),
                query.number("logOptions.tailLines"),
                since(query, now),
                query.flag("logOptions.timestamps"),
                pattern(query.text("grep")),
                LabelSelector.parse(query.text("selector")));
    }

    private static @Nullable Instant since(Query query, Instant now) {
        Optional<Integer> seconds = query.number("logOptions.sinceSeconds");
        Instant time = query.instant("logOptions.sinceTime");
        if (seconds.isPresent() && time != null) {
            throw RefusedException.invalid(
                    "at most one of logOptions.sinceTime and logOptions.sinceSeconds may be given");
        }
        return seconds.map(s -> now.minusSeconds(s)).orElse(time);
    }

    private static @Nullable Pattern pattern(String grep) {
        try {
            return grep.isEmpty() ? null : GoRegex.compile(grep);
        } catch (PatternSyntaxException e) {
            throw RefusedException.invalid(
                    "grep=%s is not a regular expression: %s".formatted(grep, e.getDescription()));
        }
    }

    /** Where the last lines of a step begin that are asked for, in bytes. */
    long from(LogStore logs, String stepId) throws IOException {
        return tail.isEmpty() ? 0 : logs.tailStart(stepId, container, tail.get()).orElse(0);
    }
}
