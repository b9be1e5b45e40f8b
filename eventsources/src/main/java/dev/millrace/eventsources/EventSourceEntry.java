package dev.millrace.eventsources;

import org.jspecify.annotations.Nullable;

/** One named event of an EventSource at work: what each type implements. */
public interface EventSourceEntry extends AutoCloseable {

    /**
     * Connects and receives until the thread is interrupted. The runtime calls it again, after a
     * pause, when it throws; so it keeps nothing open behind an exception.
     *
     * @param status where it says that it is active, and what a person should know
     * @throws EntryConfigurationException if only a change of the manifest helps: it is not called
     *     again
     * @throws InterruptedException when it is stopped
     * @throws Exception anything else that may pass: a port in use, a server that does not answer
     */
    void run(StatusSink status) throws Exception;

    /** Gives up what it keeps between runs; called once, after the last run. */
    @Override
    default void close() {}

    /** Where an entry says how it is doing. */
    interface StatusSink {
        void report(EntryStatus.State state, @Nullable String message);
    }
}
