package dev.millrace.server.readmodel;

import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.PostedEvent;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** What became of events that were posted to the API, for those who wait for it. */
public final class EventAnswers {

    private final Map<String, Awaited> awaited = new ConcurrentHashMap<>();

    /**
     * Completes once every binding has been asked about the event, and every workflow that it is to
     * start has been started or refused: why bindings failed, by their names. Ask before the event
     * is sent. Two that wait for the same event get the same answer.
     */
    public CompletableFuture<Map<String, String>> of(String eventId) {
        return awaited.computeIfAbsent(eventId, _ -> new Awaited()).answer.copy();
    }

    /** The answer that lies in decisions about one event; empty if they are not all. */
    public static Optional<Map<String, String>> in(List<Decision> decisions) {
        Awaited past = new Awaited();
        boolean complete = false;
        for (Decision decision : decisions) {
            complete = past.isComplete(decision);
        }
        return complete ? Optional.of(Map.copyOf(past.failures)) : Optional.empty();
    }

    /** Nobody waits for this answer any more. */
    public void forget(String eventId) {
        awaited.remove(eventId);
    }

    void told(List<Decision> decisions) {
        for (Decision decision : decisions) {
            Awaited waiting =
                    PostedEvent.KIND.equals(decision.kind())
                            ? awaited.get(decision.eventId())
                            : null;
            if (waiting != null && waiting.isComplete(decision)) {
                awaited.remove(decision.eventId());
                // Not on the projector's thread: what depends on it may block.
                waiting.answer.completeAsync(() -> Map.copyOf(waiting.failures));
            }
        }
    }

    /** The decisions of one event come in their order, on one thread: they have one key. */
    private static final class Awaited {

        private final CompletableFuture<Map<String, String>> answer = new CompletableFuture<>();
        private final Set<String> open = new HashSet<>();
        private final Map<String, String> failures = new LinkedHashMap<>();
        private boolean allAsked;

        private boolean isComplete(Decision decision) {
            String activation = decision.activationId();
            switch (decision.outcome()) {
                case PostedEvent.ASKED -> allAsked = true;
                case "failed" -> {
                    failures.put(decision.sensor(), String.valueOf(decision.reason()));
                    open.remove(activation);
                }
                case "fired" -> open.add(String.valueOf(activation));
                case "dispatched", "duplicate" -> open.remove(activation);
                // Filtered: it has nothing to do with it.
                default -> {}
            }
            return allAsked && open.isEmpty();
        }
    }
}
