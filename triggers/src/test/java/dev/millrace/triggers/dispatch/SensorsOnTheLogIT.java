package dev.millrace.triggers.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.DeadLetters;
import dev.millrace.log.LogRecord;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.Partitions;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.log.serde.CloudEventRecords;
import dev.millrace.log.serde.Producers;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.record.DeadLetter;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.sensors.joining.Joiner;
import dev.millrace.sensors.matching.MatchWorker;
import dev.millrace.testkit.Await;
import dev.millrace.testkit.TestBroker;
import dev.millrace.testkit.TestRecords;
import dev.millrace.triggers.action.ActionRunner;
import dev.millrace.triggers.action.DispatchOutcome;
import dev.millrace.triggers.action.HttpExecutor;
import dev.millrace.triggers.action.LogExecutor;
import dev.millrace.triggers.action.WorkflowExecutor;
import dev.millrace.triggers.action.WorkflowSubmitter;
import dev.millrace.triggers.testing.HttpSink;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Events to requests through a real log, with restarts in between. */
class SensorsOnTheLogIT {

    @RegisterExtension static final TestBroker BROKER = new TestBroker(new Partitions(2));

    @TempDir Path folder;

    private final List<WorkflowSubmitter.Submission> submissions = new CopyOnWriteArrayList<>();
    private HttpSink sink;
    private HttpExecutor http;
    private TestRecords records;
    private Producer<String, byte[]> producer;
    private ManifestLog manifests;
    private MatchWorker matcher;
    private Joiner joiner;
    private RetryTimers timers;
    private Dispatcher dispatcher;

    @BeforeEach
    void start() throws Exception {
        sink = new HttpSink();
        http = new HttpExecutor((_, _, _) -> Optional.empty(), (_, _) -> Optional.empty());
        records = BROKER.records();
        producer = Producers.plain(BROKER.log(), "engine", Producers.Patience.NEVER_GIVES_UP);
        manifests = ManifestLog.start(BROKER.log(), producer);
        matcher = startMatcher();
        joiner = Joiner.start(BROKER.log(), folder.resolve("streams"));
        timers = RetryTimers.start(BROKER.log(), folder.resolve("streams"));
        dispatcher = startDispatcher();
    }

    @AfterEach
    void stop() throws Exception {
        matcher.close();
        joiner.close();
        dispatcher.close();
        timers.close();
        manifests.close();
        producer.close();
        records.close();
        http.close();
        sink.close();
    }

    @Test
    void aPendingEventOutlivesARestartOfTheJoiner() throws Exception {
        sensor("pair", "a && b", "/ok/pair", "", "x1", "x2");
        send("x1", "e1", "{\"num\":1}");
        awaitDecision("e1", "pending");

        joiner.close();
        send("x2", "e2", "{\"num\":2}");
        joiner = Joiner.start(BROKER.log(), folder.resolve("streams"));

        Await.until("the trigger fired", () -> !sink.requests().isEmpty());
        assertThat(sink.requests()).extracting(HttpSink.Request::body).containsExactly("12");
        awaitDecision("e1", "dispatched");
        awaitDecision("e2", "dispatched");
    }

    @Test
    void anEventThatIsWrittenTwiceIsCarriedOutOnce() throws Exception {
        sensor("once", "a", "/ok/once", "", "y1", "y2");
        send("y1", "once1", "{\"num\":1}");
        send("y1", "once1", "{\"num\":1}");
        awaitDecision("once1", "duplicate");
        assertThat(sink.requests()).hasSize(1);

        dispatcher.close();
        dispatcher = startDispatcher();
        send("y1", "once1", "{\"num\":1}");
        send("y1", "once2", "{\"num\":2}");
        Await.until("the next event came", () -> sink.requests().size() > 1);
        records.read(
                Topics.DECISIONS, Decision.class, seen -> count(seen, "once1", "duplicate") == 2);
        assertThat(sink.requests()).extracting(HttpSink.Request::body).containsExactly("1", "2");
    }

    @Test
    void aFailedAttemptIsRepeatedWithTheSameKeyUntilItSucceeds() throws Exception {
        sensor(
                "again",
                "a",
                "/fail2/again",
                """
                    retryStrategy: {steps: 4, duration: 50ms}
                    policy: {status: {allow: [200]}}
                """,
                "z1",
                "z2");
        send("z1", "again1", "{\"num\":1}");
        awaitDecision("again1", "dispatched");
        assertThat(sink.requests()).hasSize(3);
        assertThat(sink.requests().stream().map(r -> r.header("Idempotency-Key")).distinct())
                .hasSize(1);
    }

    @Test
    void whatCannotBeDoneIsADeadLetterAndRunsTheDlqTrigger() throws Exception {
        sensor(
                "dead",
                "a",
                "/fail9/dead",
                """
                    atLeastOnce: true
                    retryStrategy: {steps: 2, duration: 20ms}
                    policy: {status: {allow: [200]}}
                    dlqTrigger:
                      atLeastOnce: true
                      template:
                        name: dlq
                        http: {url: "URL/ok/dlq"}
                """,
                "d1",
                "d2");
        send("d1", "dead1", "{\"num\":1}");
        Await.until(
                "the dlqTrigger ran",
                () -> sink.requests().stream().anyMatch(r -> r.path().equals("/ok/dlq")));
        DeadLetter letter =
                records
                        .read(
                                Topics.DEAD_LETTERS,
                                DeadLetter.class,
                                seen -> seen.stream().anyMatch(r -> isOf(r, "team/dead/t")))
                        .stream()
                        .filter(r -> isOf(r, "team/dead/t"))
                        .findFirst()
                        .orElseThrow()
                        .requiredValue();
        assertThat(letter.reason()).isEqualTo("http response status 500 is not allowed");
        assertThat(letter.history()).hasSize(2);
    }

    @Test
    void aWorkflowTriggerSubmitsUnderANameThatFollowsFromTheActivation() throws Exception {
        put(
                """
                apiVersion: argoproj.io/v1alpha1
                kind: Sensor
                metadata: {name: flow}
                spec:
                  dependencies:
                  - {name: a, eventSourceName: es, eventName: w1}
                  triggers:
                  - template:
                      name: t
                      argoWorkflow:
                        operation: submit
                        source:
                          resource:
                            apiVersion: argoproj.io/v1alpha1
                            kind: Workflow
                            metadata: {generateName: made-}
                            spec:
                              entrypoint: main
                              arguments: {parameters: [{name: n, value: x}]}
                        parameters:
                        - src: {dependencyName: a, dataKey: num}
                          dest: spec.arguments.parameters.0.value
                """);
        send("w1", "flow1", "{\"num\":5}");
        Await.until("it was submitted", () -> !submissions.isEmpty());
        WorkflowSubmitter.Submission submission = submissions.getFirst();
        assertThat(submission.namespace()).isEqualTo("team");
        assertThat(submission.name()).matches("made-[0-9a-f]{10}");
        assertThat(submission.manifest().at("/metadata/name").asString())
                .isEqualTo(submission.name());
        assertThat(submission.manifest().at("/spec/arguments/parameters/0/value").asString())
                .isEqualTo("5");
        assertThat(submission.manifest().at("/metadata/labels").toString())
                .contains("\"events.argoproj.io/sensor\":\"flow\"");
    }

    @Test
    void attemptsOfALimitedTriggerAreSpaced() throws Exception {
        sensor(
                "limited",
                "a",
                "/ok/limited",
                "    rateLimit: {unit: Second, requestsPerUnit: 5}\n",
                "l1",
                "l2");
        long begin = System.nanoTime();
        for (int i = 0; i < 4; i++) {
            send("l1", "limited" + i, "{\"num\":" + i + "}");
        }
        Await.until("all came", () -> sink.requests().size() == 4);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isGreaterThan(Duration.ofMillis(580));
    }

    @Test
    void aTypeThatIsNotSupportedIsToldInTheStatusAndBecomesADeadLetter() throws Exception {
        put(
                """
                apiVersion: argoproj.io/v1alpha1
                kind: Sensor
                metadata: {name: chat}
                spec:
                  dependencies:
                  - {name: a, eventSourceName: es, eventName: s1}
                  triggers:
                  - template:
                      name: t
                      slack: {channel: c, message: m}
                """);
        send("s1", "chat1", "{}");
        records.read(
                Topics.DEAD_LETTERS,
                DeadLetter.class,
                seen ->
                        seen.stream()
                                .anyMatch(
                                        r ->
                                                r.requiredValue()
                                                        .reason()
                                                        .startsWith(
                                                                "triggers of type slack are not"
                                                                        + " supported yet")));
        List<LogRecord<StatusRecord>> statuses =
                records.read(
                        Topics.STATUS,
                        StatusRecord.class,
                        seen -> seen.stream().anyMatch(r -> "Sensor/team/chat".equals(r.key())));
        StatusRecord status =
                statuses.stream()
                        .filter(r -> "Sensor/team/chat".equals(r.key()))
                        .findFirst()
                        .orElseThrow()
                        .requiredValue();
        assertThat(status.entries().get("t").state()).isEqualTo("Failed");
        assertThat(status.conditions())
                .anySatisfy(
                        c -> {
                            assertThat(c.type()).isEqualTo("TriggersProvided");
                            assertThat(c.status()).isEqualTo("False");
                        });
    }

    @Test
    void anEventThatIsTooLargeForASensorFailsThereAndTheNextOneFires() throws Exception {
        sensor("narrow", "a", "/ok/narrow", "", "n1", "n2");
        // In an activation the data is text within JSON, so every quote takes two bytes.
        send("n1", "narrow1", "[" + "\"\",".repeat(4_000_000) + "0]");
        awaitDecision("narrow1", "failed");
        records.read(
                Topics.DEAD_LETTERS,
                DeadLetter.class,
                seen ->
                        seen.stream()
                                .anyMatch(
                                        r ->
                                                r.requiredValue()
                                                        .reason()
                                                        .startsWith(
                                                                "the activation of team/narrow/t has")));
        send("n1", "narrow2", "{\"num\":2}");
        awaitDecision("narrow2", "dispatched");
    }

    private MatchWorker startMatcher() throws InterruptedException {
        return MatchWorker.start(
                BROKER.log(), manifests, producer, deadLetters(), InstantSource.system());
    }

    private Dispatcher startDispatcher() {
        WorkflowExecutor workflows =
                new WorkflowExecutor(new Submissions(), (_, _) -> Optional.empty());
        return Dispatcher.start(
                BROKER.log(),
                new ActionRunner(http, workflows, workflows.k8s(), new LogExecutor()),
                producer,
                deadLetters(),
                UnaryOperator.identity(),
                InstantSource.system());
    }

    private DeadLetters deadLetters() {
        return new DeadLetters(producer, UnaryOperator.identity());
    }

    /** A sensor over two events whose request's body is their numbers. */
    private void sensor(
            String name, String conditions, String path, String more, String first, String second)
            throws Exception {
        String text =
                """
                apiVersion: argoproj.io/v1alpha1
                kind: Sensor
                metadata: {name: NAME}
                spec:
                  dependencies:
                  - {name: a, eventSourceName: es, eventName: FIRST}
                  - {name: b, eventSourceName: es, eventName: SECOND}
                  triggers:
                  - template:
                      name: t
                      conditions: CONDITIONS
                      http:
                        url: URLPATH
                        parameters:
                        - {src: {dependencyName: a, dataKey: num}, dest: payload.0.src.value, operation: append}
                        - {src: {dependencyName: b, dataKey: num}, dest: payload.0.src.value, operation: append}
                        payload:
                        - {src: {dependencyName: none, value: ""}, dest: ""}
                """
                        + more;
        put(
                text.replace("NAME", name)
                        .replace("CONDITIONS", conditions)
                        .replace("PATH", path)
                        .replace("FIRST", first)
                        .replace("SECOND", second));
    }

    private void put(String text) throws Exception {
        var read = ManifestReader.read("test", text.replace("URL", sink.url()));
        assertThat(read.errors()).isEmpty();
        var manifest = read.manifests().getFirst();
        var tree = manifest.tree().deepCopy();
        ((tools.jackson.databind.node.ObjectNode) tree.path("metadata")).put("namespace", "team");
        long version =
                manifests
                        .put(
                                new ManifestKey("Sensor", "team", String.valueOf(manifest.name())),
                                tree)
                        .get(20, TimeUnit.SECONDS);
        manifests.seen(version).get(20, TimeUnit.SECONDS);
    }

    private void send(String event, String id, String data) {
        CloudEvent cloudEvent =
                CloudEventBuilder.v1()
                        .withId(id)
                        .withSource(URI.create("es"))
                        .withSubject(event)
                        .withType("webhook")
                        .withTime(OffsetDateTime.now())
                        .withDataContentType("application/json")
                        .withData(data.getBytes(StandardCharsets.UTF_8))
                        .build();
        records.send(CloudEventRecords.toRecord(Topics.EVENTS, "team/es/" + event, cloudEvent));
    }

    private static boolean isOf(LogRecord<DeadLetter> letter, String trigger) {
        return trigger.equals(letter.requiredValue().key());
    }

    private void awaitDecision(String event, String outcome) {
        records.read(Topics.DECISIONS, Decision.class, seen -> count(seen, event, outcome) > 0);
    }

    private static long count(List<LogRecord<Decision>> seen, String event, String outcome) {
        return seen.stream()
                .map(LogRecord::requiredValue)
                .filter(d -> d.eventId().equals(event) && d.outcome().equals(outcome))
                .count();
    }

    private final class Submissions implements WorkflowSubmitter {
        @Override
        public Optional<Map<String, String>> labels(String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public DispatchOutcome submit(Submission submission) {
            submissions.add(submission);
            return new DispatchOutcome.Succeeded("submitted");
        }

        @Override
        public DispatchOutcome act(Operation operation) {
            throw new AssertionError("nothing acts");
        }
    }
}
