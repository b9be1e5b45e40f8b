package dev.millrace.executors.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.WebServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls through a proxy that leads every name to one server. */
@Timeout(60)
class ProxiedCallsIT {

    /** Passes on what comes, and remembers the heads of what it was asked. */
    private static final class Proxy implements AutoCloseable {
        private final ServerSocket socket =
                new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<String> heads = new CopyOnWriteArrayList<>();
        private final int target;

        Proxy(int target) throws IOException {
            this.target = target;
            threads.submit(
                    () -> {
                        while (true) {
                            Socket client = socket.accept();
                            threads.submit(() -> serve(client));
                        }
                    });
        }

        private Void serve(Socket client) throws IOException {
            try (client;
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
                String head = head(client.getInputStream());
                heads.add(head);
                if (head.startsWith("CONNECT ")) {
                    client.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                } else {
                    server.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                }
                threads.submit(() -> pass(client.getInputStream(), server.getOutputStream()));
                pass(server.getInputStream(), client.getOutputStream());
            }
            return null;
        }

        private static String head(InputStream in) throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    throw new IOException("no whole head: " + head);
                }
                head.append((char) next);
            }
            return head.toString();
        }

        private static Void pass(InputStream from, OutputStream to) throws IOException {
            from.transferTo(to);
            return null;
        }

        String address() {
            return "me:secret@127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            socket.close();
            threads.shutdownNow();
        }
    }

    /** {@code me:secret}. */
    private static final String BASIC = "Basic bWU6c2VjcmV0";

    private static HttpCall.Answer call(String url, Map<String, String> environment)
            throws InterruptedException {
        HttpClients clients = new HttpClients(ProxyRules.of(environment));
        try {
            return new HttpCall("GET", URI.create(url), List.of(), new byte[0])
                    .send(
                            clients,
                            true,
                            1_000,
                            System.nanoTime() + TimeUnit.SECONDS.toNanos(20),
                            new CompletableFuture<>());
        } finally {
            clients.close();
        }
    }

    private static String body(HttpCall.Answer answer) {
        assertThat(answer).isInstanceOf(HttpCall.Answer.Response.class);
        return new String(((HttpCall.Answer.Response) answer).body(), StandardCharsets.UTF_8);
    }

    @Test
    void aPlainCallTellsTheProxyTheWholeAddress() throws Exception {
        try (WebServer web = WebServer.plain();
                Proxy proxy = new Proxy(web.port())) {
            web.on("/x", 200, "reached");
            assertThat(
                            body(
                                    call(
                                            "http://service.example/x",
                                            Map.of("HTTP_PROXY", proxy.address()))))
                    .isEqualTo("reached");
            assertThat(proxy.heads)
                    .singleElement()
                    .asString()
                    .startsWith("GET http://service.example/x HTTP/1.1\r\n")
                    .containsIgnoringCase("Proxy-Authorization: " + BASIC);
        }
    }

    @Test
    void anEncryptedCallGoesThroughATunnelThatAloneKnowsThePassword(@TempDir Path folder)
            throws Exception {
        try (WebServer web = WebServer.secure(folder);
                Proxy proxy = new Proxy(web.port())) {
            web.on("/x", 200, "reached");
            assertThat(
                            body(
                                    call(
                                            "https://service.example/x",
                                            Map.of("HTTPS_PROXY", proxy.address()))))
                    .isEqualTo("reached");
            assertThat(proxy.heads)
                    .singleElement()
                    .asString()
                    .startsWith("CONNECT service.example:443 HTTP/1.1\r\n")
                    .containsIgnoringCase("Proxy-Authorization: " + BASIC);
            assertThat(web.requests().getFirst().header("Proxy-Authorization")).isNull();
        }
    }

    @Test
    void whatIsExceptedGoesDirectlyAndKeepsThePasswordAway() throws Exception {
        try (WebServer web = WebServer.plain();
                Proxy proxy = new Proxy(web.port())) {
            web.on("/x", 200, "reached");
            assertThat(body(call(web.url("/x"), Map.of("HTTP_PROXY", proxy.address()))))
                    .isEqualTo("reached");
            assertThat(proxy.heads).isEmpty();
            assertThat(web.requests().getFirst().header("Proxy-Authorization")).isNull();
        }
    }

    @Test
    void aProxyThatCannotBeUsedFailsTheCall() throws Exception {
        assertThat(call("http://service.example/x", Map.of("HTTP_PROXY", "socks5://a:1")))
                .isInstanceOfSatisfying(
                        HttpCall.Answer.None.class,
                        none -> assertThat(none.reason()).contains("HTTP_PROXY"));
    }
}
