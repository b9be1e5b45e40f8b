package dev.millrace.workflowengine.topology;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.LargeSubmission;
import dev.millrace.schemas.record.SourceParts;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The events of a large transition, dealt out to several records: no record grows with its
 * workflow. One that holds a large source is followed by the parts of it.
 */
final class RecordParts {

    private RecordParts() {}

    /**
     * The events of each record.
     *
     * @param source what the workflow runs from after these events
     */
    static List<List<WorkflowEvent>> of(List<WorkflowEvent> events, WorkflowSource source) {
        List<List<WorkflowEvent>> records = new ArrayList<>();
        List<WorkflowEvent> record = new ArrayList<>();
        long size = 0;
        for (WorkflowEvent event : inParts(events, source)) {
            int own = Json.mapper().writerFor(WorkflowEvent.class).writeValueAsBytes(event).length;
            if (!record.isEmpty() && size + own > SourceParts.LARGEST_VALUE) {
                records.add(record);
                record = new ArrayList<>();
                size = 0;
            }
            record.add(event);
            size += own + 1;
        }
        records.add(record);
        return records;
    }

    private static List<WorkflowEvent> inParts(List<WorkflowEvent> events, WorkflowSource source) {
        List<WorkflowEvent> all = new ArrayList<>();
        for (WorkflowEvent event : events) {
            switch (event) {
                case WorkflowEvent.Submitted e -> {
                    List<String> parts = SourceParts.split(e.source());
                    all.add(
                            new WorkflowEvent.Submitted(
                                    e.commandId(),
                                    e.uid(),
                                    e.createdAt(),
                                    new WorkflowSource(
                                            LargeSubmission.outline(e.manifest()),
                                            Json.object(),
                                            Map.of(),
                                            null),
                                    e.fromTemplate(),
                                    e.origin(),
                                    parts.size()));
                    add(all, parts);
                }
                case WorkflowEvent.Started e when large(e) -> {
                    List<String> parts = SourceParts.split(source);
                    all.add(
                            new WorkflowEvent.Started(
                                    e.at(),
                                    e.labels(),
                                    e.annotations(),
                                    Json.object(),
                                    parts.size()));
                    add(all, parts);
                }
                case WorkflowEvent.Retried e when e.source() != null -> {
                    all.add(new WorkflowEvent.Retried(e.at(), null));
                    add(all, SourceParts.split(e.source()));
                }
                default -> all.add(event);
            }
        }
        return all;
    }

    private static boolean large(WorkflowEvent.Started event) {
        return Json.mapper().writeValueAsBytes(event.spec()).length > SourceParts.LARGEST_VALUE / 2;
    }

    private static void add(List<WorkflowEvent> all, List<String> parts) {
        for (int i = 0; i < parts.size(); i++) {
            all.add(new WorkflowEvent.SourcePart(i, parts.size(), parts.get(i)));
        }
    }
}
