package dev.millrace.workflowengine.topology;

import dev.millrace.log.stream.Turn;
import java.util.Optional;

/** Erases the records of workflows that were deleted, so that compaction forgets them. */
final class Erasure {
    /** Records erased at a time, so that a long history holds nobody up. */
    static final int PORTION = 1_000;

    /**
     * Erases a portion of what lies before the deletion, and asks for another turn if there is
     * more.
     */
    void portion(String entity, Turn turn) {
        Optional<WrittenLog> log = turn.store().get(entity, WorkflowTurns.LOG, "");
        if (log.isEmpty() || !log.get().toErase()) {
            return;
        }
        WrittenLog rest =
                erase(
                        entity,
                        log.get(),
                        Math.min(log.get().eraseBelow(), log.get().first() + PORTION),
                        turn);
        turn.store().put(entity, WorkflowTurns.LOG, "", rest);
        if (rest.toErase()) {
            turn.timers().set(entity, OwnTimers.ERASE, turn.now());
        }
    }

    /**
     * Erases the last records and every trace of the name; asks for another turn while there are
     * many.
     */
    void everything(String entity, Turn turn) {
        WrittenLog log = turn.store().get(entity, WorkflowTurns.LOG, "").orElse(WrittenLog.EMPTY);
        long end = log.last() + 1;
        if (end - log.first() > PORTION) {
            turn.store()
                    .put(
                            entity,
                            WorkflowTurns.LOG,
                            "",
                            erase(entity, log, log.first() + PORTION, turn));
            turn.timers().set(entity, OwnTimers.FORGET, turn.now());
            return;
        }
        erase(entity, log, end, turn);
        turn.emit(EngineTopology.EVENTS, TransitionKeys.rejected(entity), null);
        turn.timers().cancelAll(entity);
        turn.store().delete(entity, WorkflowTurns.LOG, "");
        turn.store().delete(entity, StoreWorkflowState.HEAD, "");
        turn.forget();
    }

    private static WrittenLog erase(String entity, WrittenLog log, long end, Turn turn) {
        for (long seq = log.first(); seq < end; seq++) {
            turn.emit(EngineTopology.EVENTS, TransitionKeys.of(entity, seq), null);
        }
        return log.erasedUpTo(end);
    }
}
