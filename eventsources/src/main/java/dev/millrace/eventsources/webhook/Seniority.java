package dev.millrace.eventsources.webhook;

import java.time.Instant;
import java.util.Comparator;

/**
 * How old an entry is, compared with others.
 *
 * @param created when its object was made; {@link Instant#MAX} if nobody wrote it down
 * @param version of the manifest in which this process saw the entry first; decides where the
 *     creation does not
 */
public record Seniority(Instant created, long version) implements Comparable<Seniority> {

    private static final Comparator<Seniority> ORDER =
            Comparator.comparing(Seniority::created).thenComparing(Seniority::version);

    @Override
    public int compareTo(Seniority other) {
        return ORDER.compare(this, other);
    }
}
