package dev.millrace.server.api;

import dev.millrace.server.command.RefusedException;
import dev.millrace.server.command.RefusedException.Code;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.exc.JacksonIOException;

/**
 * The streams that clients hold open. They would keep the server from stopping, so it ends them.
 */
final class OpenStreams implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OpenStreams.class);

    /**
     * What sends the messages of a stream, until it has no more, its thread is interrupted or the
     * client is gone.
     */
    interface Body {
        void run(EventStream stream) throws IOException, InterruptedException;
    }

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Runs a stream on the calling thread. */
    void run(Context ctx, Body body) {
        threads.add(Thread.currentThread());
        try {
            if (closed) {
                throw new RefusedException(Code.UNAVAILABLE, "the server is stopping");
            }
            EventStream stream = EventStream.open(ctx);
            body.run(stream);
            stream.end();
        } catch (InterruptedException e) {
            LOG.debug("a stream ends with the server");
        } catch (IOException | UncheckedIOException | JacksonIOException e) {
            LOG.debug("a client left its stream: {}", e.toString());
        } finally {
            threads.remove(Thread.currentThread());
        }
    }

    int count() {
        return threads.size();
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
