package dev.millrace.server;

import dev.millrace.schemas.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/** A client of the API as others write them. */
final class Client implements AutoCloseable {

    record Answer(int status, JsonNode body) {}

    private final URI server;
    private final HttpClient http = HttpClient.newHttpClient();

    Client(URI server) {
        this.server = server;
    }

    Answer get(String path) {
        return send("GET", path, null, null);
    }

    /** The body as it is. */
    String text(String path) throws IOException, InterruptedException {
        return http.send(
                        HttpRequest.newBuilder(server.resolve(path)).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    Answer delete(String path) {
        return send("DELETE", path, null, null);
    }

    Answer post(String path, String body) {
        return send("POST", path, body, "application/json");
    }

    Answer put(String path, String body) {
        return send("PUT", path, body, "application/json");
    }

    Answer yaml(String path, String body) {
        return send("POST", path, body, "application/yaml");
    }

    Answer send(String method, String path, String body, String contentType, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path));
        if (contentType != null) {
            request.header("Content-Type", contentType);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        request.method(
                method,
                body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body));
        try {
            HttpResponse<String> response =
                    http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            String text = response.body();
            return new Answer(
                    response.statusCode(),
                    text.startsWith("{") ? Json.mapper().readTree(text) : Json.tree(text));
        } catch (IOException e) {
            throw new AssertionError(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** A stream whose lines are collected while it is open. */
    final class Stream implements AutoCloseable {
        final List<JsonNode> results = new CopyOnWriteArrayList<>();
        private final Thread thread;
        private volatile boolean ended;

        private Stream(HttpResponse<java.io.InputStream> response) {
            thread = Thread.ofVirtual().start(() -> read(response));
        }

        private void read(HttpResponse<java.io.InputStream> response) {
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("data: ")) {
                        results.add(Json.mapper().readTree(line.substring(6)).path("result"));
                    }
                }
            } catch (IOException e) {
                ended = true;
            }
            ended = true;
        }

        boolean isEnded() {
            return ended;
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }

    Stream stream(String path) {
        HttpRequest request =
                HttpRequest.newBuilder(server.resolve(path))
                        .header("Accept", "text/event-stream")
                        .build();
        try {
            return new Stream(http.send(request, HttpResponse.BodyHandlers.ofInputStream()));
        } catch (IOException e) {
            throw new AssertionError(path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The status line of a request that is written by hand: this client lets nobody set Host. */
    String raw(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
