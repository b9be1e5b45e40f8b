package dev.millrace.eventsources.webhook;

import dev.millrace.eventsources.EntryKey;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The ports that webhook entries listen on, each opened with its first entry and closed with its
 * last.
 */
public final class WebhookListeners implements AutoCloseable {

    private final @Nullable String host;
    private final WebhookDispatcher dispatcher;
    private final Map<Integer, PortListener> listeners = new HashMap<>();
    private boolean closed;

    /**
     * @param host the address that is listened on; null means all of them
     * @param dispatcher answers, and knows when the end is near
     */
    public WebhookListeners(@Nullable String host, WebhookDispatcher dispatcher) {
        this.host = host;
        this.dispatcher = dispatcher;
    }

    /** A place among the routes of a port, until it is closed. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Takes a route up, and opens the port if it is the first one.
     *
     * @throws IOException naming port, entry and cure if the port cannot be had
     */
    synchronized Registration open(int port, @Nullable TlsIdentity tls, RouteTable.Claim claim)
            throws IOException {
        if (closed) {
            throw new IOException("Millrace is shutting down; no port is opened any more");
        }
        PortListener listener = listeners.get(port);
        if (listener == null) {
            listener = new PortListener(host, port, tls, dispatcher);
            start(listener, port, claim.owner());
            listeners.put(port, listener);
        } else if (!Objects.equals(listener.tls(), tls)) {
            throw new IOException(
                    "port %d is open %s for other entries, and %s asks for something else. Give all entries of a port the same serverCertSecret and serverKeySecret, or use another port"
                            .formatted(
                                    port,
                                    listener.tls() == null ? "without TLS" : "with TLS",
                                    claim.owner()));
        }
        PortListener open = listener;
        open.routes().add(claim);
        return () -> close(port, open, claim);
    }

    /** Closes all ports, after the requests in flight. */
    @Override
    public void close() {
        List<PortListener> all;
        synchronized (this) {
            all = List.copyOf(listeners.values());
            listeners.clear();
            closed = true;
        }
        all.forEach(PortListener::stop);
    }

    private synchronized void close(int port, PortListener listener, RouteTable.Claim claim) {
        listener.routes().remove(claim);
        if (listener.routes().isEmpty() && listeners.remove(port, listener)) {
            listener.stop();
        }
    }

    private static void start(PortListener listener, int port, EntryKey owner) throws IOException {
        try {
            listener.start();
        } catch (IOException e) {
            throw new IOException(
                    "port %d cannot be opened for %s: %s. Stop what uses it (ss -ltnp shows it), or change port in the manifest; till then the entry is reachable at the API under /webhooks/%s"
                            .formatted(port, owner, reason(e), owner),
                    e);
        }
    }

    private static String reason(IOException e) {
        Throwable deepest = e;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return String.valueOf(deepest.getMessage());
    }
}
