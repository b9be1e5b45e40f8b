package dev.millrace.testkit.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The endpoint of a kubelet that the API server fetches the logs of containers from. */
final class LogsServer implements AutoCloseable {
    /** Finds the log of the last run of a container. */
    interface Logs {
        Optional<ContainerLog> of(String namespace, String pod, String container);
    }

    private static final char[] PASSWORD = "in-a-private-folder".toCharArray();

    private final HttpsServer server;
    private final Logs logs;

    /**
     * Starts it on a free port.
     *
     * @param folder an empty folder for its certificate
     */
    LogsServer(Path folder, Logs logs) throws IOException, InterruptedException {
        this.logs = logs;
        this.server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificate(folder)));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/containerLogs/", this::serve);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] path = exchange.getRequestURI().getPath().split("/");
            Optional<ContainerLog> log =
                    path.length == 5 ? logs.of(path[2], path[3], path[4]) : Optional.empty();
            if (log.isEmpty()) {
                byte[] text = "no such container".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(404, text.length);
                exchange.getResponseBody().write(text);
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, 0);
            write(log.get(), query(exchange), exchange.getResponseBody());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(ContainerLog log, Map<String, String> query, OutputStream out)
            throws IOException, InterruptedException {
        boolean follow = Boolean.parseBoolean(query.get("follow"));
        boolean timestamps = Boolean.parseBoolean(query.get("timestamps"));
        long left = Long.parseLong(query.getOrDefault("limitBytes", "" + Long.MAX_VALUE));
        Instant since = Instant.MIN;
        if (query.containsKey("sinceTime")) {
            since = Instant.parse(query.get("sinceTime"));
        } else if (query.containsKey("sinceSeconds")) {
            since = Instant.now().minusSeconds(Long.parseLong(query.get("sinceSeconds")));
        }
        int next = 0;
        if (query.containsKey("tailLines")) {
            next = Math.max(0, log.size() - Integer.parseInt(query.get("tailLines")));
        }
        out.flush();
        do {
            List<ContainerLog.Line> lines = log.from(next);
            next += lines.size();
            for (ContainerLog.Line line : lines) {
                if (line.at().isBefore(since)) {
                    continue;
                }
                byte[] start = (timestamps ? line.at() + " " : "").getBytes(StandardCharsets.UTF_8);
                for (byte[] part : List.of(start, line.text())) {
                    int length = (int) Math.min(left, part.length);
                    out.write(part, 0, length);
                    left -= length;
                }
                if (left == 0) {
                    return;
                }
            }
            out.flush();
        } while (follow && log.await(next));
    }

    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            int eq = pair.indexOf('=');
            if (eq > 0) {
                String value = URLDecoder.decode(pair.substring(eq + 1), StandardCharsets.UTF_8);
                query.put(pair.substring(0, eq), value);
            }
        }
        return query;
    }

    /** Made by the JDK's own tool: its libraries can read certificates, but not make them. */
    private static SSLContext certificate(Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("kubelet.p12");
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process making =
                new ProcessBuilder(
                                tool,
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-alias",
                                "kubelet",
                                "-dname",
                                "CN=kubelet",
                                "-ext",
                                "san=ip:127.0.0.1",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                new String(PASSWORD),
                                "-keystore",
                                file.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(making.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (making.waitFor() != 0) {
            throw new IOException("keytool made no certificate: " + said);
        }
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD);
            KeyManagerFactory factory =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use the certificate that keytool made", e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
