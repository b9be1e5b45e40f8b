package dev.millrace.bench.load;

import dev.millrace.log.LogConnection;
import dev.millrace.schemas.Json;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.configuration.Configuration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The server as {@code millrace up} starts it, in this process and on a folder of its own. */
record WholeServer(WorkFolder folder, MillraceServer server, LogConnection log, HttpClient http)
        implements Installation {

    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    /**
     * Starts it.
     *
     * @param isolation {@code none} or {@code bubblewrap}
     * @param definitions manifests by file name
     */
    static WholeServer start(String isolation, Map<String, String> definitions) {
        WorkFolder folder = WorkFolder.create();
        definitions.forEach((name, text) -> folder.write("definitions/" + name, text));
        Path manifests = definitions.isEmpty() ? null : folder.path().resolve("definitions");
        int brokerPort = freePort();
        Configuration configuration =
                Configuration.load(
                        folder.path().resolve("data"),
                        manifests,
                        Map.of(
                                "port",
                                "0",
                                "brokerPort",
                                Integer.toString(brokerPort),
                                "isolation",
                                isolation));
        WholeServer server =
                new WholeServer(
                        folder,
                        MillraceServer.start(configuration, System.err::println),
                        LogConnection.embedded("127.0.0.1:" + brokerPort),
                        HttpClient.newBuilder()
                                .version(HttpClient.Version.HTTP_1_1)
                                .executor(Executors.newVirtualThreadPerTaskExecutor())
                                .build());
        server.awaitReady();
        return server;
    }

    /** The API answers a little before all parts have their partitions; nobody is measured then. */
    private void awaitReady() {
        HttpRequest ready = HttpRequest.newBuilder(server.apiAddress().resolve("/readyz")).build();
        long limit = System.nanoTime() + LONGEST_START.toNanos();
        try {
            HttpResponse<String> answer = http.send(ready, HttpResponse.BodyHandlers.ofString());
            while (answer.statusCode() != 200) {
                if (System.nanoTime() > limit) {
                    throw new IllegalStateException(
                            "the server is not ready after %s: %s"
                                    .formatted(LONGEST_START, answer.body()));
                }
                Thread.sleep(20);
                answer = http.send(ready, HttpResponse.BodyHandlers.ofString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the server cannot be asked whether it is ready", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the server started", e);
        }
    }

    /** A port that nobody listens on. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port was found", e);
        }
    }

    /** Posts it to the API, as clients do; completes with the answer. */
    @Override
    public CompletableFuture<@Nullable Void> submit(String name, String spec) {
        ObjectNode body = Json.object();
        ObjectNode manifest = body.putObject("workflow");
        manifest.put("apiVersion", "argoproj.io/v1alpha1").put("kind", "Workflow");
        manifest.putObject("metadata").put("name", name);
        manifest.set("spec", Json.mapper().readTree(spec));
        return post(server.apiAddress().resolve("/api/v1/workflows/default"), body.toString());
    }

    /** Posts JSON; fails on every answer but 200. */
    CompletableFuture<@Nullable Void> post(URI to, String json) {
        HttpRequest request =
                HttpRequest.newBuilder(to)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(
                        answer -> {
                            if (answer.statusCode() != 200) {
                                throw new IllegalStateException(
                                        "POST %s was answered %d: %s"
                                                .formatted(to, answer.statusCode(), answer.body()));
                            }
                            return null;
                        });
    }

    @Override
    public void close() {
        http.close();
        server.close();
        folder.close();
    }
}
