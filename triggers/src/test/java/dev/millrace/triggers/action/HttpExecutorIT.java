package dev.millrace.triggers.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.triggers.testing.HttpSink;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests over real connections; what the recorded cases do not show. */
class HttpExecutorIT {

    private HttpSink sink;
    private HttpExecutor http;

    @BeforeEach
    void start() throws IOException {
        sink = new HttpSink();
        http = new HttpExecutor((_, _, _) -> Optional.empty(), (_, _) -> Optional.empty());
    }

    @AfterEach
    void stop() throws IOException {
        http.close();
        sink.close();
    }

    @Test
    void theKeyIsTheActivationUnlessTheManifestHasItsOwn() throws Exception {
        send("{url: URL/ok/a}");
        send("{url: URL/ok/b, headers: {idempotency-key: mine}}");
        assertThat(sink.requests())
                .extracting(r -> r.header("Idempotency-Key"))
                .containsExactly("the-id", "mine");
    }

    @Test
    void aReceiverThatDoesNotAnswerInTimeFailsTheAttempt() throws Exception {
        assertThat(send("{url: URL/slow/a, timeout: 1}"))
                .isInstanceOfSatisfying(
                        DispatchOutcome.Failed.class,
                        f -> assertThat(f.message()).endsWith("no answer within 1 s"));
    }

    @Test
    void aRedirectToAnotherHostIsNotToldTheCredentials() throws Exception {
        try (HttpSink other = new HttpSink()) {
            // 127.0.0.1 and localhost are two names of one host: as far as a client knows, two
            // hosts.
            String elsewhere = other.url().replace("127.0.0.1", "localhost");
            HttpCall call =
                    new HttpCall(
                            "POST",
                            java.net.URI.create(sink.url() + "/redir/x"),
                            Map.of("Authorization", "secret", "X-A", "1"),
                            new byte[0],
                            java.time.Duration.ofSeconds(5));
            sink.redirectTo(elsewhere + "/ok/x");
            try (var client = java.net.http.HttpClient.newHttpClient()) {
                assertThat(call.send(client)).isEqualTo(new HttpCall.Answer.Status(200));
            }
            assertThat(other.requests())
                    .singleElement()
                    .satisfies(
                            r -> {
                                assertThat(r.method()).isEqualTo("GET");
                                assertThat(r.header("X-A")).isEqualTo("1");
                                assertThat(r.header("Authorization")).isEmpty();
                            });
        }
    }

    @Test
    void aCircleOfRedirectsEnds() throws Exception {
        sink.redirectTo(sink.url() + "/redir/x");
        assertThat(send("{url: URL/redir/x}"))
                .isEqualTo(
                        new DispatchOutcome.Failed(
                                "POST " + sink.url() + "/redir/x: stopped after 10 redirects"));
    }

    @Test
    void aMissingSecretIsNamed() throws Exception {
        assertThat(
                        send(
                                "{url: URL/ok/a, secureHeaders: [{name: X-T, valueFrom:"
                                        + " {secretKeyRef: {name: s, key: k}}}]}"))
                .isInstanceOfSatisfying(
                        DispatchOutcome.Failed.class,
                        f -> assertThat(f.message()).contains("no value for X-T"));
        assertThat(sink.requests()).isEmpty();
    }

    @Test
    void aRequestThatCannotBeMadeIsRefusedWithTheCure() throws Exception {
        assertThat(send("{url: 'no url'}")).isInstanceOf(DispatchOutcome.Refused.class);
        assertThat(send("{url: URL/ok/a, headers: {'no name': x}}"))
                .isInstanceOf(DispatchOutcome.Refused.class);
        assertThat(send("{url: 'ftp://x/y'}")).isInstanceOf(DispatchOutcome.Refused.class);
    }

    @Test
    void theHostIsSentAndWhatTheClientComputesIsNot() throws Exception {
        send(
                "{url: URL/ok/a, host: shop.example, headers: {Connection: close, Content-Length: '5'}}");
        assertThat(sink.requests())
                .singleElement()
                .satisfies(
                        r -> {
                            assertThat(r.header("Host")).isEqualTo("shop.example");
                            assertThat(r.header("Connection")).isEqualTo("close");
                            assertThat(r.header("Content-Length")).isEqualTo("0");
                        });
    }

    @Test
    void whatMayNotStandInAnAddressIsEscaped() {
        assertThat(HttpExecutor.escaped("http://h:1/a b/{x}|y?q=\"ü\"&r=%20#f"))
                .isEqualTo("http://h:1/a%20b/%7Bx%7D%7Cy?q=%22%C3%BC%22&r=%20#f");
    }

    private DispatchOutcome send(String block) throws InterruptedException {
        String trigger = "template: {name: t, http: " + block.replace("URL", sink.url()) + "}";
        WorkflowExecutor workflows =
                new WorkflowExecutor(new NoWorkflows(), (_, _) -> Optional.empty());
        return new ActionRunner(http, workflows, workflows.k8s(), new LogExecutor())
                .attempt(
                        new Activation(
                                "the-id",
                                "ns",
                                "s",
                                "t",
                                1,
                                Map.of(),
                                YamlReader.read("test", trigger).documents().getFirst().tree(),
                                Instant.EPOCH,
                                null),
                        1);
    }

    private static final class NoWorkflows implements WorkflowSubmitter {
        @Override
        public Optional<Map<String, String>> labels(String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public DispatchOutcome submit(Submission submission) {
            throw new AssertionError("no workflow");
        }

        @Override
        public DispatchOutcome act(Operation operation) {
            throw new AssertionError("no workflow");
        }
    }
}
