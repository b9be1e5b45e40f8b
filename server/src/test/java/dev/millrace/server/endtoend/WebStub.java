package dev.millrace.server.endtoend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands in for the places of the internet that the example workflows call, with the answers that
 * the recordings got.
 */
final class WebStub implements AutoCloseable {
    private static final String ELSEWHERE = "https://";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    WebStub() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(threads);
        server.createContext("/", WebStub::answer);
        server.start();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String asked = exchange.getRequestURI().getPath().substring(1);
            if (asked.startsWith("raw.githubusercontent.com/argoproj/argo-workflows/4e45")) {
                send(exchange, 200, "{\"swagger\":\"2.0\",\"info\":{\"title\":\"argo\"}}");
            } else if (asked.equals("httpbin.org/status/201")) {
                send(exchange, 201, "");
            } else if (asked.equals("google.com")) {
                send(exchange, 200, "<html><title>Google</title>google</html>");
            } else {
                send(exchange, 404, "404: Not Found");
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    /** A text with addresses of the internet as addresses of this server. */
    String here(String text) {
        return text.replace(ELSEWHERE, address());
    }

    /** The reverse of {@link #here}. */
    String elsewhere(String text) {
        return text.replace(address(), ELSEWHERE);
    }

    private String address() {
        return "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
