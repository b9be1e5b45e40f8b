package dev.millrace.triggers.dispatch;

import dev.millrace.schemas.Json;
import dev.millrace.triggers.testing.HttpSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** One recorded case. */
record RecordedCase(Path folder, String name, String trigger, JsonNode json) {

    /** Headers that say who sends, not what. */
    private static final Set<String> NOT_COMPARED = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    static {
        NOT_COMPARED.addAll(
                List.of("Host", "User-Agent", "Connection", "Accept-Encoding", "Idempotency-Key"));
    }

    static List<RecordedCase> all(Path recorded) {
        List<RecordedCase> cases = new ArrayList<>();
        try (Stream<Path> folders = Files.list(recorded)) {
            for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
                for (String line : Files.readAllLines(folder.resolve("cases.jsonl"))) {
                    JsonNode json = Json.mapper().readTree(line);
                    cases.add(
                            new RecordedCase(
                                    folder,
                                    json.path("case").asString(),
                                    json.path("trigger").asString(json.path("case").asString()),
                                    json));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cases;
    }

    String sensor() {
        return folder.getFileName().toString();
    }

    boolean isValidation() {
        return sensor().startsWith("rec-v-");
    }

    /** What the receiver got, in words that can be compared. */
    List<String> received() {
        List<String> words = new ArrayList<>();
        for (JsonNode request : json.path("received")) {
            List<String> headers = new ArrayList<>();
            String body = request.path("body").asString("");
            for (JsonNode header : request.path("headers")) {
                add(headers, header.path(0).asString(), header.path(1).asString(), body);
            }
            words.add(
                    words(
                            request.path("method").asString(),
                            request.path("path").asString(),
                            headers,
                            body,
                            request.path("answered").asInt(200)));
        }
        return words;
    }

    /** What our receiver got. */
    static List<String> words(List<HttpSink.Request> requests, String sink) {
        List<String> words = new ArrayList<>();
        for (HttpSink.Request request : requests) {
            List<String> headers = new ArrayList<>();
            for (HttpSink.Header header : request.headers()) {
                add(
                        headers,
                        header.name(),
                        header.value().replace(sink, "http://sink.test"),
                        request.body());
            }
            words.add(
                    words(
                            request.method(),
                            request.path(),
                            headers,
                            request.body(),
                            request.answered()));
        }
        return words;
    }

    private static void add(List<String> headers, String name, String value, String body) {
        // The recording has placeholders where ids and times were, so that lengths differ.
        boolean placeholders = body.contains("$ID") || body.contains("$TIME");
        if (!NOT_COMPARED.contains(name)
                && !(placeholders && name.equalsIgnoreCase("Content-Length"))) {
            headers.add(name + ": " + value);
        }
    }

    private static String words(
            String method, String path, List<String> headers, String body, int answered) {
        headers.sort(Comparator.naturalOrder());
        return method + " " + path + " " + headers + " " + body + " -> " + answered;
    }
}
