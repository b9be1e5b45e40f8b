package dev.millrace.eventsources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.LogRecord;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.Secrets;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.CloudEventRecords;
import dev.millrace.schemas.Json;
import dev.millrace.testkit.Conformance;
import dev.millrace.testkit.TestBroker;
import io.cloudevents.CloudEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Posts what was posted to Argo Events, and compares the answers and the events. */
class RecordedWebhooksIT {

    @RegisterExtension static final TestBroker BROKER = new TestBroker();

    private static final Secrets SECRETS =
            (namespace, name, key) ->
                    switch (key) {
                        case "token" -> Optional.of("s3cret");
                        case "nl" -> Optional.of("nl");
                        default -> Optional.empty();
                    };

    /**
     * @param showsData whether the sensor of this case passes the event's data on as it is
     */
    private record Recorded(
            String name, List<JsonNode> posts, boolean showsData, List<String> data) {

        Set<String> endpoints() {
            return posts.stream()
                    .map(post -> post.get("endpoint").asString().replaceFirst("[?].*", ""))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void answersAndEventsAreThoseOfTheRecordings() throws IOException {
        Path recorded = Conformance.assumePresent().resolve("events/recorded");
        int port = RunningEventSources.freePort();
        String manifest =
                Files.readString(recorded.resolve("eventsource.yaml"))
                        .replace("'12000'", "'" + port + "'");
        List<String> differences = new ArrayList<>();
        int posts = 0;
        List<Recorded> cases = cases(recorded);
        Map<String, List<String>> events = new TreeMap<>();
        try (var sources = new RunningEventSources(BROKER.log(), SECRETS);
                var records = BROKER.records()) {
            ManifestKey key = sources.put(manifest);
            sources.awaitAllActive(key, manifest.split("endpoint:", -1).length - 1);
            for (Recorded c : cases) {
                for (JsonNode post : c.posts()) {
                    posts++;
                    RawHttp.Answer answer = post(port, post);
                    if (answer.status() != post.get("status").intValue()
                            || !answer.body().equals(post.get("answer").asString(""))) {
                        differences.add(c.name() + " " + post + " answered " + answer);
                    }
                }
            }
            double published = sources.total("published");
            records.read(
                            Topics.EVENTS,
                            new CloudEventRecords(),
                            Duration.ofSeconds(20),
                            seen -> seen.size() >= published)
                    .forEach(
                            r ->
                                    events.computeIfAbsent(
                                                    "/" + r.requiredValue().getSubject(),
                                                    e -> new ArrayList<>())
                                            .add(data(r)));
        }
        assertThat(posts).isGreaterThan(1000);
        assertThat(differences).isEmpty();
        compareEvents(cases, events);
    }

    /** What the sensor passed on is what the events of its endpoints hold, no more and no less. */
    private static void compareEvents(List<Recorded> cases, Map<String, List<String>> events) {
        int compared = 0;
        for (Recorded c : cases) {
            Set<String> endpoints = c.endpoints();
            boolean shared =
                    cases.stream()
                            .anyMatch(
                                    o -> o != c && !Collections.disjoint(o.endpoints(), endpoints));
            if (!c.showsData() || shared) {
                continue;
            }
            compared++;
            List<String> published = new ArrayList<>();
            endpoints.forEach(e -> published.addAll(events.getOrDefault(e, List.of())));
            assertThat(published).as(c.name()).containsExactlyInAnyOrderElementsOf(c.data());
        }
        assertThat(compared).isGreaterThan(12);
    }

    private static RawHttp.Answer post(int port, JsonNode post) throws IOException {
        List<List<String>> headers = new ArrayList<>();
        for (JsonNode header : post.path("headers")) {
            headers.add(List.of(header.get(0).asString(), header.get(1).asString()));
        }
        return RawHttp.send(
                port,
                post.get("method").asString(),
                post.get("endpoint").asString(),
                headers,
                post.path("body").asString(""));
    }

    /** Cases with a wait in them tell about sensors, sizes about the bus that was recorded. */
    private static List<Recorded> cases(Path recorded) throws IOException {
        List<Recorded> cases = new ArrayList<>();
        try (Stream<Path> files = Files.walk(recorded)) {
            for (Path file : files.filter(f -> f.endsWith("cases.jsonl")).sorted().toList()) {
                for (String line : Files.readAllLines(file)) {
                    JsonNode json = Json.mapper().readTree(line);
                    List<JsonNode> posts = new ArrayList<>();
                    for (JsonNode post : json.path("posts")) {
                        if (post.has("method") && !post.path("body").isObject()) {
                            posts.add(post);
                        }
                    }
                    boolean showsData = file.getParent().endsWith("rec-es");
                    cases.add(
                            new Recorded(
                                    json.get("case").asString(),
                                    posts,
                                    showsData,
                                    showsData ? received(json) : List.of()));
                }
            }
        }
        return cases;
    }

    /** The triggers of that sensor send the event's data as member {@code d}. */
    private static List<String> received(JsonNode json) {
        List<String> data = new ArrayList<>();
        for (JsonNode received : json.path("received")) {
            String body = received.get("body").asString();
            assertThat(body).startsWith("{\"d\":").endsWith("}");
            data.add(body.substring(5, body.length() - 1));
        }
        return data;
    }

    private static String data(LogRecord<CloudEvent> record) {
        return new String(record.requiredValue().getData().toBytes(), StandardCharsets.UTF_8);
    }
}
