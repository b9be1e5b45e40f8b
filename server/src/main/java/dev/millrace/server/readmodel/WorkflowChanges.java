package dev.millrace.server.readmodel;

import dev.millrace.schemas.record.CommandAnswer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** News of the read model, told once they can be read in it. */
public final class WorkflowChanges {

    /** What clients knew a workflow by that is gone. */
    public record Gone(String uid, JsonNode metadata) {}

    /**
     * A workflow is new, changed or gone.
     *
     * @param gone what it was known by, if it is gone; null if it may still be read
     */
    public record Change(String namespace, String name, @Nullable Gone gone) {}

    /** Ends a subscription. */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    private final Map<String, CompletableFuture<CommandAnswer>> awaited = new ConcurrentHashMap<>();
    private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();

    /**
     * The answer to a command, once the read model holds what the command did. Ask before the
     * command is sent. Two that wait for the same id get the same answer.
     */
    public CompletableFuture<CommandAnswer> answer(String commandId) {
        CompletableFuture<CommandAnswer> future =
                awaited.computeIfAbsent(commandId, _ -> new CompletableFuture<>());
        return future.copy();
    }

    /** Nobody waits for this answer any more. */
    public void forget(String commandId) {
        awaited.remove(commandId);
    }

    /** Hears of every change, on the projector's thread: it must only take note. */
    public Subscription subscribe(Consumer<Change> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void answered(CommandAnswer answer) {
        CompletableFuture<CommandAnswer> future = awaited.remove(answer.commandId());
        if (future != null) {
            // Not on the projector's thread: what depends on it may block.
            future.completeAsync(() -> answer);
        }
    }

    void changed(Change change) {
        listeners.forEach(listener -> listener.accept(change));
    }
}
