package dev.millrace.server.endtoend;

import dev.millrace.schemas.Json;
import dev.millrace.testkit.Await;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A sender that is sane: it repeats a post until it gets a 200. Each attempt bears an id, since one
 * that got no answer may or may not have been taken.
 */
final class Posts {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(50);

    private final ApiClient client;
    private final URI address;
    private final Set<String> attempts = ConcurrentHashMap.newKeySet();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger allowed = new AtomicInteger();

    Posts(ApiClient client, URI address) {
        this.client = client;
        this.address = address;
    }

    /** Lets posts be sent up to this number. */
    void allow(int number) {
        allowed.set(number);
    }

    Set<String> attempts() {
        return Set.copyOf(attempts);
    }

    Set<String> acknowledged() {
        return Set.copyOf(acknowledged);
    }

    /** Sends posts, up to the last one; several threads may. */
    void send(int last) {
        int number = next.incrementAndGet();
        while (number <= last) {
            int post = number;
            Await.until("post " + post + " may be sent", PATIENCE, () -> post <= allowed.get());
            Await.until("post " + post + " is acknowledged", PATIENCE, () -> attempt(post));
            number = next.incrementAndGet();
        }
    }

    private boolean attempt(int post) {
        String attempt = post + "-" + UUID.randomUUID();
        attempts.add(attempt);
        String body = Json.object().put("post", post).put("attempt", attempt).toString();
        try {
            if (client.webhook(address, body).status() == 200) {
                acknowledged.add(attempt);
                return true;
            }
        } catch (UncheckedIOException e) {
            // No answer: the server is down, or went down meanwhile. Which of the two cannot be
            // known.
        }
        LockSupport.parkNanos(BETWEEN_ATTEMPTS.toNanos());
        return false;
    }
}
