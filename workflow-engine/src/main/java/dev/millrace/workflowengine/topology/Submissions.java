package dev.millrace.workflowengine.topology;

import dev.millrace.log.stream.EntryType;
import dev.millrace.log.stream.Turn;
import dev.millrace.schemas.record.LargeSubmission;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.workflowengine.core.WorkflowInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Large submissions: their parts wait in the store for the command that they belong to. */
final class Submissions {
    static final EntryType<String> PART = EntryType.of("upload", String.class);

    /** The command follows its parts at once, so what has waited for so long was given up. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    void take(String entity, WorkflowCommand.SubmitPart part, Turn turn) {
        turn.store().put(entity, PART, id(part.commandId(), part.index()), part.data());
        turn.timers().set(entity, OwnTimers.UPLOADS, turn.now().plus(PATIENCE));
    }

    /** The submission with the source that its parts hold; null if a part is missing. */
    @Nullable WorkflowInput whole(String entity, WorkflowCommand.Submit submit, Turn turn) {
        List<String> parts = new ArrayList<>();
        int count = submit.parts() == null ? 0 : submit.parts();
        for (int i = 0; i < count; i++) {
            String part = turn.store().get(entity, PART, id(submit.commandId(), i)).orElse(null);
            if (part == null) {
                return null;
            }
            parts.add(part);
        }
        WorkflowCommand.Submit whole = LargeSubmission.join(submit, parts);
        for (int i = 0; i < count; i++) {
            turn.store().delete(entity, PART, id(submit.commandId(), i));
        }
        if (turn.store().scan(entity, PART).isEmpty()) {
            turn.timers().cancel(entity, OwnTimers.UPLOADS);
        }
        return new WorkflowInput.Command(whole);
    }

    /** Forgets the parts of submissions that did not follow. */
    void forget(String entity, Turn turn) {
        turn.store()
                .scan(entity, PART)
                .keySet()
                .forEach(id -> turn.store().delete(entity, PART, id));
    }

    private static String id(String commandId, int index) {
        return commandId + "/" + "%06d".formatted(index);
    }
}
