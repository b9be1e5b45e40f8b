package dev.millrace.eventsources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.eventsources.webhook.WebhookRequest;
import dev.millrace.eventsources.webhook.WebhookResponse;
import dev.millrace.log.LogRecord;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.CloudEventRecords;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.testkit.Await;
import dev.millrace.testkit.TestBroker;
import dev.millrace.testkit.TestRecords;
import io.cloudevents.CloudEvent;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WebhookIT {

    @RegisterExtension static final TestBroker BROKER = new TestBroker();

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static RunningEventSources sources;
    private static TestRecords records;
    private final int port = RunningEventSources.freePort();

    @BeforeAll
    static void start() {
        sources =
                new RunningEventSources(
                        BROKER.log(), (namespace, name, key) -> Optional.of("s3cret"));
        records = BROKER.records();
    }

    @AfterAll
    static void stop() {
        records.close();
        sources.close();
    }

    @Test
    void theRouterAnswersAsGosDoes() throws Exception {
        ManifestKey key =
                sources.put(manifest("routes", entry("pattern", "/x/{id}"), entry("exact", "/y")));
        sources.awaitAllActive(key, 2);
        assertThat(raw("GET", "/health")).isEqualTo(new RawHttp.Answer(200, "OK"));
        RawHttp.Answer notFound = new RawHttp.Answer(404, "404 page not found\n");
        assertThat(raw("POST", "/none")).isEqualTo(notFound);
        assertThat(raw("POST", "/y/")).isEqualTo(notFound);
        assertThat(raw("POST", "/y/sub")).isEqualTo(notFound);
        assertThat(raw("POST", "//y?a=1")).isEqualTo(new RawHttp.Answer(301, ""));
        assertThat(raw("POST", "/x/7")).isEqualTo(new RawHttp.Answer(200, "success"));
        assertThat(raw("POST", "/%79")).isEqualTo(new RawHttp.Answer(200, "success"));
        assertThat(raw("HEAD", "/y")).isEqualTo(new RawHttp.Answer(400, ""));
        HttpResponse<String> moved = HTTP.send(request("//y?a=1", "1"), BodyHandlers.ofString());
        assertThat(moved.headers().firstValue("Location")).contains("/y?a=1");
    }

    @Test
    void aHundredParallelPostsAreAHundredEvents() throws Exception {
        ManifestKey key = sources.put(manifest("parallel", entry("many", "/many")));
        sources.awaitAllActive(key, 1);
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(
                    HTTP.sendAsync(request("/many", "{\"n\":" + i + "}"), BodyHandlers.ofString()));
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().body()).isEqualTo("success");
        }
        List<LogRecord<CloudEvent>> events = events("default/parallel/many", 100);
        Set<String> ids = new HashSet<>();
        events.forEach(e -> ids.add(e.requiredValue().getId()));
        assertThat(ids).hasSize(100).allMatch(id -> id.matches("[0-9a-f]{32}"));
        assertThat(events)
                .allSatisfy(
                        e -> {
                            CloudEvent event = e.requiredValue();
                            assertThat(event.getSource()).hasToString("parallel");
                            assertThat(event.getSubject()).isEqualTo("many");
                            assertThat(event.getType()).isEqualTo("webhook");
                        });
    }

    @Test
    void headersBeyondAsciiAreReadAsUtf8() throws Exception {
        ManifestKey key = sources.put(manifest("letters", entry("e", "/letters")));
        sources.awaitAllActive(key, 1);
        List<List<String>> headers = List.of(List.of("x-name", "Zoé ☃"));
        assertThat(RawHttp.send(port, "POST", "/letters", headers, "1").status()).isEqualTo(200);
        assertThat(data(events("default/letters/e", 1)))
                .containsExactly(
                        "{\"header\":{\"Content-Length\":[\"1\"],\"X-Name\":[\"Zoé ☃\"]},\"body\":1}");
    }

    @Test
    void largeBodiesAreAnsweredRatherThanCutOff() throws Exception {
        String most = entry("most", "/most") + "\n      maxPayloadSize: 100000000";
        ManifestKey key = sources.put(manifest("large", entry("usual", "/usual"), most));
        sources.awaitAllActive(key, 2);
        String twoMebibytes = "\"" + "x".repeat(2 << 20) + "\"";
        HttpResponse<String> refused =
                HTTP.send(request("/usual", twoMebibytes), BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).endsWith("http: request body too large");
        assertThat(HTTP.send(request("/most", twoMebibytes), BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
        String beyondTheLog = "\"" + "x".repeat(17 << 20) + "\"";
        HttpResponse<String> tooLarge =
                HTTP.send(request("/most", beyondTheLog), BodyHandlers.ofString());
        assertThat(tooLarge.statusCode()).isEqualTo(413);
        assertThat(tooLarge.body()).contains("put the data where a workflow can fetch it");
    }

    @Test
    void aRefusedBodyCostsNoOtherRequestOfTheConnection() throws Exception {
        ManifestKey key = sources.put(manifest("refusing", entry("some", "/some")));
        sources.awaitAllActive(key, 1);
        String tooLarge = "\"" + "x".repeat(3 << 20) + "\"";
        for (int i = 0; i < 30; i++) {
            for (String path : List.of("/some", "/none", "//some")) {
                HttpResponse<String> refused =
                        HTTP.send(request(path, tooLarge), BodyHandlers.ofString());
                assertThat(refused.statusCode()).as(path).isBetween(300, 499);
                assertThat(HTTP.send(request("/some", "1"), BodyHandlers.ofString()).statusCode())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aSenderThatWaitsToBeToldToGoOnIsToldNotTo() throws Exception {
        ManifestKey key = sources.put(manifest("waiting", entry("w", "/w")));
        sources.awaitAllActive(key, 1);
        String head =
                "POST /w HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\nExpect: 100-continue\r\n\r\n";
        assertThat(RawHttp.exchange(port, head))
                .startsWith("HTTP/1.1 400 ")
                .contains("Connection: close");
    }

    @Test
    void anEntryIsAlsoReachableByItsName() throws Exception {
        ManifestKey key = sources.put(manifest("named", entry("e", "/e")));
        sources.awaitAllActive(key, 1);
        WebhookRequest request =
                new WebhookRequest(
                        "POST",
                        null,
                        List.of(),
                        1,
                        new ByteArrayInputStream("5".getBytes(StandardCharsets.UTF_8)));
        assertThat(sources.runtime.webhooks().handle("default", "named", "e", request))
                .isEqualTo(new WebhookResponse(200, "success", java.util.Map.of()));
        assertThat(sources.runtime.webhooks().handle("default", "named", "f", request).status())
                .isEqualTo(404);
        assertThat(data(events("default/named/e", 1)))
                .containsExactly("{\"header\":{},\"body\":5}");
    }

    @Test
    void aPortInUseIsAStatusWithTheCureAndGetsBetterByItself() throws Exception {
        ManifestKey key;
        try (ServerSocket other = new ServerSocket(port, 5, InetAddress.getLoopbackAddress())) {
            key = sources.put(manifest("taken", entry("t", "/t")));
            sources.awaitState(key, "t", "Failed");
            assertThat(sources.message(key, "t"))
                    .contains("port " + other.getLocalPort())
                    .contains("default/taken/t")
                    .contains("change port");
        }
        sources.awaitState(key, "t", "Active");
        assertThat(raw("POST", "/t").status()).isEqualTo(200);
    }

    @Test
    void theYoungerOfTwoWithOneEndpointFailsUntilTheOlderIsGone() throws Exception {
        ManifestKey older = sources.put(manifest("older", entry("a", "/same")));
        sources.awaitAllActive(older, 1);
        ManifestKey younger =
                sources.put(manifest("younger", entry("b", "/same"), entry("c", "/own")));
        sources.awaitState(younger, "b", "Failed");
        sources.awaitState(younger, "c", "Active");
        assertThat(sources.message(younger, "b"))
                .contains("belongs to the older entry default/older/a");
        assertThat(raw("POST", "/same").status()).isEqualTo(200);
        assertThat(events("default/older/a", 1)).hasSize(1);
        sources.delete(older);
        sources.awaitState(younger, "b", "Active");
        assertThat(raw("POST", "/same").status()).isEqualTo(200);
        assertThat(events("default/younger/b", 1)).hasSize(1);
    }

    @Test
    void aChangeOfOneEntryDropsNoRequestOfAnotherNorOfItself() throws Exception {
        ManifestKey key = sources.put(manifest("steady", entry("s", "/s"), entry("v", "/v")));
        sources.awaitAllActive(key, 2);
        AtomicBoolean done = new AtomicBoolean();
        List<String> failures = new ArrayList<>();
        Thread sender =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    while (!done.get()) {
                                        for (String path : List.of("/s", "/v")) {
                                            try {
                                                RawHttp.Answer answer = raw("POST", path);
                                                if (answer.status() != 200) {
                                                    failures.add(path + " " + answer);
                                                }
                                            } catch (Exception e) {
                                                failures.add(path + " " + e);
                                            }
                                        }
                                    }
                                });
        for (int i = 0; i < 10; i++) {
            String changed = entry("v", "/v") + "\n      metadata: {round: 'r" + i + "'}";
            sources.put(manifest("steady", entry("s", "/s"), changed));
            String round = "\"metadata\":{\"round\":\"r" + i + "\"}";
            Await.until(
                    "the change shows",
                    () -> {
                        raw("POST", "/v");
                        return data(events("default/steady/v", 1)).stream()
                                .anyMatch(d -> d.contains(round));
                    });
        }
        done.set(true);
        sender.join();
        assertThat(failures).isEmpty();
    }

    @Test
    void whatCannotRunIsSaidInTheStatusTopic() throws Exception {
        ManifestKey key =
                sources.put(
                        """
                        apiVersion: argoproj.io/v1alpha1
                        kind: EventSource
                        metadata: {name: odd}
                        spec:
                          webhok: {}
                          webhook:
                            noport: {endpoint: /p, method: POST}
                            put: {endpoint: /put, method: PUT, port: '%d'}
                          mqtt:
                            m: {url: 'tcp://x', topic: t, clientId: c}
                        """
                                .formatted(port));
        sources.awaitState(key, "m", "Failed");
        sources.awaitState(key, "noport", "Failed");
        sources.awaitState(key, "put", "Active");
        StatusRecord status =
                records
                        .read(
                                Topics.STATUS,
                                StatusRecord.class,
                                seen -> seen.stream().anyMatch(r -> isSettled(r, key.toString())))
                        .stream()
                        .filter(r -> isSettled(r, key.toString()))
                        .findFirst()
                        .orElseThrow()
                        .requiredValue();
        assertThat(status.entries().get("m").message())
                .isEqualTo(
                        "event source type mqtt is not supported yet; there are webhook and calendar");
        assertThat(status.entries().get("noport").message()).contains("port is missing");
        assertThat(status.entries().get("put").message()).contains("method PUT makes no events");
        assertThat(status.conditions())
                .anySatisfy(
                        c -> {
                            assertThat(c.type()).isEqualTo("ManifestWarnings");
                            assertThat(c.message()).contains("webhok");
                        });
    }

    private static boolean isSettled(LogRecord<StatusRecord> record, String key) {
        StatusRecord status = record.value();
        return key.equals(record.key())
                && status != null
                && status.entries().size() == 3
                && status.entries().values().stream()
                        .noneMatch(e -> e.state().equals("Connecting"));
    }

    private RawHttp.Answer raw(String method, String target) throws java.io.IOException {
        return RawHttp.send(port, method, target, List.of(), "1");
    }

    private HttpRequest request(String path, String body) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20))
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private static List<LogRecord<CloudEvent>> events(String key, int atLeast) {
        return records
                .read(
                        Topics.EVENTS,
                        new CloudEventRecords(),
                        Duration.ofSeconds(20),
                        seen -> seen.stream().filter(r -> key.equals(r.key())).count() >= atLeast)
                .stream()
                .filter(r -> key.equals(r.key()))
                .toList();
    }

    private static List<String> data(List<LogRecord<CloudEvent>> events) {
        return events.stream()
                .map(e -> new String(e.requiredValue().getData().toBytes(), StandardCharsets.UTF_8))
                .toList();
    }

    private String entry(String name, String endpoint) {
        return "    %s:\n      endpoint: %s\n      method: POST\n      port: '%d'"
                .formatted(name, endpoint, port);
    }

    private static String manifest(String name, String... entries) {
        return "apiVersion: argoproj.io/v1alpha1\nkind: EventSource\nmetadata:\n  name: %s\nspec:\n  webhook:\n%s\n"
                .formatted(name, String.join("\n", entries));
    }
}
