package dev.millrace.cli.client;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.schemas.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Sends requests to one server. */
public final class ApiClient implements AutoCloseable {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    // Longer than the server waits for its engine, so that its own explanation arrives.
    private static final Duration ANSWER = Duration.ofSeconds(30);

    // A comment in the stream, which the server writes when it has said all.
    private static final String END = ":end";

    private final HttpClient http;
    private final URI base;
    private final Optional<String> authorization;

    /**
     * @param base without a slash at its end
     * @param authorization the value of the header, if the server demands one
     */
    public ApiClient(URI base, Optional<String> authorization) {
        this.base = base;
        this.authorization = authorization;
        this.http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT)
                        .build();
    }

    public URI base() {
        return base;
    }

    public JsonNode get(String path, Query query) {
        return success(send("GET", path, query, null, "application/json"));
    }

    public JsonNode post(String path, JsonNode body) {
        return success(send("POST", path, Query.none(), body.toString(), "application/json"));
    }

    public JsonNode put(String path, JsonNode body) {
        return success(send("PUT", path, Query.none(), body.toString(), "application/json"));
    }

    public JsonNode delete(String path, Query query) {
        return success(send("DELETE", path, query, null, "application/json"));
    }

    /** Posts YAML; a refusal that says something in JSON is an answer too. */
    public JsonNode postYaml(String path, Query query, String yaml) {
        HttpResponse<String> response = send("POST", path, query, yaml, "application/yaml");
        return response.statusCode() == 400 ? json(response.body()) : success(response);
    }

    /**
     * Reads a stream until it ends or has said enough.
     *
     * @param more takes a message, and says whether to read on
     * @return whether that was all: a server that stops ends its streams early, but in order
     * @throws StreamLostException if the connection breaks
     * @throws ApiException if the request is refused
     */
    public boolean stream(String path, Query query, Predicate<JsonNode> more) {
        HttpRequest request =
                request(path, query).header("Accept", "text/event-stream").GET().build();
        HttpResponse<InputStream> response = exchange(request, BodyHandlers.ofInputStream());
        try (InputStream body = response.body();
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            if (response.statusCode() != 200) {
                throw refusal(
                        response.statusCode(),
                        new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
            String line = lines.readLine();
            while (line != null) {
                if (line.equals(END)) {
                    return true;
                }
                if (line.startsWith("data:")
                        && !more.test(message(line.substring("data:".length())))) {
                    return true;
                }
                line = lines.readLine();
            }
            return false;
        } catch (IOException e) {
            throw new StreamLostException(e);
        }
    }

    /**
     * Saves what is at a path, piece by piece.
     *
     * @return false if it is a folder, and nothing was saved
     * @throws ApiException if the request is refused
     */
    public boolean download(String path, Path file) {
        HttpRequest request = request(path, Query.none()).GET().build();
        HttpResponse<InputStream> response = exchange(request, BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            if (response.statusCode() == 307) {
                return false;
            }
            if (response.statusCode() != 200) {
                throw refusal(
                        response.statusCode(),
                        new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
            Files.copy(body, file, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.FAILED, "%s could not be saved: %s".formatted(file, e), e);
        }
    }

    private static JsonNode message(String text) {
        JsonNode message = json(text.strip());
        JsonNode error = message.path("error");
        if (!error.isMissingNode()) {
            throw new ApiException(
                    200, error.path("message").asString(error.toString()), List.of());
        }
        return message.path("result");
    }

    private HttpResponse<String> send(
            String method, String path, Query query, @Nullable String body, String contentType) {
        HttpRequest.Builder request =
                request(path, query)
                        .timeout(ANSWER)
                        .header("Accept", "application/json")
                        .method(
                                method,
                                body == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", contentType);
        }
        return exchange(request.build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path, Query query) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path + query.text()));
        authorization.ifPresent(value -> request.header("Authorization", value));
        return request;
    }

    private <T> HttpResponse<T> exchange(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return http.send(request, handler);
        } catch (ConnectException e) {
            throw new UnreachableException(
                    "no server answers at %s. Start one with 'millrace up', or name another with --server"
                            .formatted(base),
                    e);
        } catch (HttpTimeoutException e) {
            throw new UnreachableException(
                    "the server at %s has not answered %s %s in time; look at %s/readyz"
                            .formatted(base, request.method(), request.uri().getPath(), base),
                    e);
        } catch (IOException e) {
            throw new UnreachableException(
                    "the connection to %s broke (%s); is it a Millrace server?"
                            .formatted(
                                    base,
                                    e.getMessage() == null
                                            ? e.getClass().getSimpleName()
                                            : e.getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.FAILED, "interrupted", e);
        }
    }

    /** A problem as the server tells it. */
    public static ApiException.Problem problem(JsonNode problem) {
        return new ApiException.Problem(
                !problem.path("severity").asString("error").equals("warning"),
                problem.path("path").asString(""),
                problem.path("message").asString(""),
                problem.path("hint").asString(""));
    }

    private static JsonNode success(HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            throw refusal(response.statusCode(), response.body());
        }
        return json(response.body());
    }

    private static ApiException refusal(int status, String body) {
        String message = "";
        List<ApiException.Problem> problems = new ArrayList<>();
        try {
            JsonNode answer = Json.mapper().readTree(body);
            message = answer.path("message").asString("");
            answer.path("problems").forEach(problem -> problems.add(problem(problem)));
        } catch (JacksonException e) {
            message = body.lines().findFirst().orElse("");
        }
        return new ApiException(
                status,
                message.isEmpty() ? "the server answered with HTTP status " + status : message,
                problems);
    }

    private static JsonNode json(String text) {
        try {
            return Json.mapper().readTree(text);
        } catch (JacksonException e) {
            throw new ApiException(
                    502,
                    "what answered is no Millrace server: its answer is not JSON; check the address in --server",
                    List.of());
        }
    }

    /** Ends open streams too. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
