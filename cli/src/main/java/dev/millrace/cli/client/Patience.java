package dev.millrace.cli.client;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a server may be away before those who follow something on it give up. */
final class Patience {

    private static final Duration PAUSE = Duration.ofMillis(500);

    /** What is done on the server; it may break off. */
    interface Attempt {
        /** Returns whether all is done. */
        boolean run();
    }

    private final Duration longest;
    private @Nullable Long lostAt;

    Patience(Duration longest) {
        this.longest = longest;
    }

    /** The server was heard of. */
    void heard() {
        lostAt = null;
    }

    /**
     * Repeats an attempt until all is done.
     *
     * @param what goes on on the server meanwhile, for the message
     * @throws UnreachableException if the server stays away
     */
    void repeat(Attempt attempt, String server, String what) {
        while (true) {
            try {
                boolean done = attempt.run();
                heard();
                if (done) {
                    return;
                }
            } catch (StreamLostException | UnreachableException e) {
                lost(e, server, what);
            } catch (ApiException e) {
                if (!e.isTemporary()) {
                    throw e;
                }
                lost(e, server, what);
            }
            pause();
        }
    }

    private void lost(RuntimeException cause, String server, String what) {
        long now = System.nanoTime();
        if (lostAt == null) {
            lostAt = now;
        }
        if (now - lostAt > longest.toNanos()) {
            throw new UnreachableException(
                    "the server at %s is gone for %d s; %s"
                            .formatted(server, longest.toSeconds(), what),
                    cause);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.FAILED, "interrupted", e);
        }
    }
}
