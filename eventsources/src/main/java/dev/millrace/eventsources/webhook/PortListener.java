package dev.millrace.eventsources.webhook;

import dev.millrace.eventsources.webhook.WebhookRequest.Header;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.AbstractConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One port with the routes of all entries on it. Plain Jetty rather than a framework: senders see
 * how Go's router treats paths, which no framework's routing leaves alone.
 */
final class PortListener {

    private static final Logger LOG = LoggerFactory.getLogger(PortListener.class);

    /** Longer than the producer tries, so that a request in flight gets its answer. */
    private static final long STOP_MILLIS = 12_000;

    private final RouteTable routes = new RouteTable();
    private final WebhookDispatcher dispatcher;
    private final Server server;
    private final @Nullable TlsIdentity tls;

    PortListener(
            @Nullable String host,
            int port,
            @Nullable TlsIdentity tls,
            WebhookDispatcher dispatcher) {
        this.dispatcher = dispatcher;
        this.tls = tls;
        // Few platform threads for selecting; each request has a virtual one to wait on the log.
        QueuedThreadPool threads = new QueuedThreadPool(16, 2);
        threads.setName("webhook-" + port);
        threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        this.server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setUriCompliance(UriCompliance.UNSAFE);
        HttpConnectionFactory factory = new HttpConnectionFactory(http);
        ServerConnector connector =
                tls == null
                        ? new ServerConnector(server, 1, 1, factory)
                        : new ServerConnector(
                                server,
                                1,
                                1,
                                AbstractConnectionFactory.getFactories(ssl(tls), factory));
        connector.setHost(host);
        connector.setPort(port);
        connector.setIdleTimeout(30_000);
        server.addConnector(connector);
        UnreadBodies bodies = new UnreadBodies();
        bodies.setHandler(new Routing());
        server.setHandler(new GracefulHandler(bodies));
        server.setStopTimeout(STOP_MILLIS);
    }

    RouteTable routes() {
        return routes;
    }

    @Nullable TlsIdentity tls() {
        return tls;
    }

    /**
     * @throws IOException if the port cannot be had
     */
    void start() throws IOException {
        try {
            server.start();
        } catch (Exception e) {
            stop();
            throw e instanceof IOException io ? io : new IOException(e.getMessage(), e);
        }
    }

    /** Answers what is in flight, then closes the port. */
    void stop() {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.warn("A webhook port did not stop in good order", e);
        }
    }

    private static SslContextFactory.Server ssl(TlsIdentity tls) {
        SslContextFactory.Server ssl = new SslContextFactory.Server();
        ssl.setKeyStore(tls.keyStore());
        ssl.setKeyStorePassword(TlsIdentity.PASSWORD);
        ssl.setSniRequired(false);
        return ssl;
    }

    private final class Routing extends Handler.Abstract {

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            WebhookResponse answer;
            try {
                answer = answer(request);
            } catch (IOException e) {
                callback.failed(e);
                return true;
            } catch (RuntimeException e) {
                LOG.error("A webhook request failed", e);
                answer = WebhookResponse.of(500, "internal error");
            }
            response.setStatus(answer.status());
            HttpFields.Mutable headers = response.getHeaders();
            headers.put("Content-Type", "text/plain; charset=utf-8");
            answer.headers().forEach(headers::put);
            ByteBuffer body = ByteBuffer.wrap(answer.body().getBytes(StandardCharsets.UTF_8));
            response.write(true, body, callback);
            return true;
        }
    }

    private WebhookResponse answer(Request request) throws IOException {
        String raw = request.getHttpURI().getPath();
        String path;
        try {
            path = decode(raw == null ? "/" : raw);
        } catch (IllegalArgumentException e) {
            return WebhookResponse.of(400, "400 Bad Request");
        }
        String clean = RequestPath.clean(path);
        String query = request.getHttpURI().getQuery();
        if (!clean.equals(path)) {
            return WebhookResponse.moved(encode(clean) + (query == null ? "" : "?" + query));
        }
        if (path.equals("/health") && isRead(request.getMethod())) {
            return WebhookResponse.of(200, "OK");
        }
        Optional<WebhookEndpoint> endpoint = routes.find(path);
        if (endpoint.isEmpty()) {
            return WebhookResponse.notFound();
        }
        List<Header> headers = request.getHeaders().stream().map(PortListener::header).toList();
        return dispatcher.handle(
                endpoint.get(),
                new WebhookRequest(
                        request.getMethod(),
                        query,
                        headers,
                        request.getLength(),
                        Content.Source.asInputStream(request)));
    }

    private static Header header(HttpField field) {
        String value = field.getValue() == null ? "" : field.getValue();
        return new Header(field.getName(), utf8(value));
    }

    /** Jetty reads header bytes as ISO 8859-1; senders that go beyond ASCII mean UTF-8. */
    private static String utf8(String value) {
        boolean ascii = value.chars().allMatch(c -> c < 0x80);
        boolean bytes = value.chars().allMatch(c -> c < 0x100);
        return ascii || !bytes
                ? value
                : new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static boolean isRead(String method) {
        return method.equals("GET") || method.equals("HEAD");
    }

    private static String decode(String path) {
        return path.indexOf('%') < 0
                ? path
                : URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String encode(String path) {
        try {
            return new URI(null, null, path, null).toASCIIString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(path, e);
        }
    }
}
