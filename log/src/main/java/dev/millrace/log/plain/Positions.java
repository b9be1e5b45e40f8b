package dev.millrace.log.plain;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How far a reader of one topic is: for each partition the next offset. Clients see it as an opaque
 * text, {@code partition:offset,…}.
 *
 * @param next next offset by partition; a partition that is absent stands at its beginning
 */
public record Positions(Map<Integer, Long> next) {

    public static final Positions START = new Positions(Map.of());

    public Positions {
        next = Map.copyOf(next);
    }

    /**
     * Reads the text form; an empty text is the start.
     *
     * @throws IllegalArgumentException naming the text if it is not one of ours
     */
    public static Positions parse(String text) {
        Map<Integer, Long> next = new TreeMap<>();
        if (text.isEmpty()) {
            return START;
        }
        for (String part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            try {
                int partition = Integer.parseInt(part.substring(0, Math.max(0, colon)));
                long offset = Long.parseLong(part.substring(colon + 1));
                if (partition < 0 || offset < 0 || next.put(partition, offset) != null) {
                    throw new IllegalArgumentException("not a position: " + text);
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("not a position: " + text, e);
            }
        }
        return new Positions(next);
    }

    /** Next offset of a partition; 0 if nothing of it was read. */
    public long next(int partition) {
        return next.getOrDefault(partition, 0L);
    }

    /** Whether the record at that place was read. */
    public boolean includes(int partition, long offset) {
        return next(partition) > offset;
    }

    /** Whether everything was read that the other had read. */
    public boolean covers(Positions other) {
        return other.next().entrySet().stream().allMatch(e -> next(e.getKey()) >= e.getValue());
    }

    @Override
    public String toString() {
        return new TreeMap<>(next)
                .entrySet().stream()
                        .map(e -> e.getKey() + ":" + e.getValue())
                        .collect(Collectors.joining(","));
    }
}
