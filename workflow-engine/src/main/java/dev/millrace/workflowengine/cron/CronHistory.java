package dev.millrace.workflowengine.cron;

import java.util.Comparator;

/** Which ended workflows stay: so many of those that Succeeded, so many of the others. */
final class CronHistory {
    private CronHistory() {}

    static void trim(CronDecision decision, CronDefinition definition) {
        trim(decision, true, definition.successfulKept());
        trim(decision, false, definition.failedKept());
    }

    private static void trim(CronDecision decision, boolean succeeded, int kept) {
        decision.state().ended().stream()
                .filter(e -> e.succeeded() == succeeded)
                .sorted(Comparator.comparing(CronState.Ended::at).reversed())
                .skip(kept)
                .forEach(e -> decision.add(new CronEvent.DeletionOrdered(e.run())));
    }
}
