package dev.millrace.schemas.record;

import java.time.Instant;
import java.util.List;

/**
 * A record of {@code workflow-events}: everything that one input did to a workflow. Keyed by {@code
 * namespace/name/seq}.
 *
 * @param seq number of the transition within the workflow, from 1; over deletions it goes on
 * @param now the instant that the transition was decided with
 */
public record WorkflowTransition(
        String namespace,
        String name,
        String uid,
        long seq,
        Instant now,
        List<WorkflowEvent> events) {}
