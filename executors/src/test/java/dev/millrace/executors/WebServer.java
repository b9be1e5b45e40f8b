package dev.millrace.executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A server of the web that remembers what it was asked. */
public final class WebServer implements AutoCloseable {

    /** What came in. */
    public record Request(
            String method, String path, Map<String, List<String>> headers, String body) {
        public @Nullable String header(String name) {
            return headers.entrySet().stream()
                    .filter(e -> e.getKey().equalsIgnoreCase(name))
                    .map(e -> String.join(",", e.getValue()))
                    .findFirst()
                    .orElse(null);
        }
    }

    @FunctionalInterface
    public interface Handler {
        void handle(HttpExchange exchange, Request request) throws Exception;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger mostInside = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);

    private WebServer(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        on("/hold", (exchange, _) -> hold(exchange));
    }

    public static WebServer plain() throws IOException {
        return new WebServer(HttpServer.create(loopback(), 100));
    }

    /** With a certificate of its own making, for another name than the one it is called by. */
    public static WebServer secure(Path folder)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path store = folder.resolve("keys.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "a",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=elsewhere.example",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                "changeit",
                                "-storetype",
                                "PKCS12")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException(said);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, "changeit".toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer https = HttpsServer.create(loopback(), 100);
        https.setHttpsConfigurator(new HttpsConfigurator(context));
        return new WebServer(https);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    public void on(String path, Handler handler) {
        handlers.put(path, handler);
    }

    public void on(String path, int status, String body) {
        on(path, (exchange, _) -> send(exchange, status, body));
    }

    public static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Does not answer before {@link #release}. */
    private void hold(HttpExchange exchange) throws Exception {
        released.await();
        send(exchange, 200, "released");
    }

    public void release() {
        released.countDown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
        try (exchange) {
            Request request =
                    new Request(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI().toString(),
                            Map.copyOf(exchange.getRequestHeaders()),
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8));
            requests.add(request);
            Handler handler = handlers.get(exchange.getRequestURI().getPath());
            if (handler == null) {
                send(exchange, 404, "404: Not Found");
            } else {
                handler.handle(exchange, request);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        } finally {
            inside.decrementAndGet();
        }
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** The most requests that were inside at the same time. */
    public int mostInside() {
        return mostInside.get();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdownNow();
    }
}
