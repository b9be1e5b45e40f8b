package dev.millrace.eventsources;

/** What an entry of an EventSource is known by. */
public record EntryKey(String namespace, String eventSource, String event) {

    /** {@code namespace/eventsource/event}: the key of its events and of its state. */
    @Override
    public String toString() {
        return namespace + "/" + eventSource + "/" + event;
    }
}
