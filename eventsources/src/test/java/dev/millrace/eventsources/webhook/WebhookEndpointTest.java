package dev.millrace.eventsources.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.eventsources.EntryKey;
import dev.millrace.eventsources.EventPublisher;
import dev.millrace.eventsources.EventSourceMetrics;
import dev.millrace.eventsources.webhook.WebhookRequest.Header;
import dev.millrace.log.Secrets;
import dev.millrace.log.embedded.DiskSpace;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.eventsource.WebhookSource;
import dev.millrace.schemas.yaml.YamlReader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** The table of answers, without a server. */
class WebhookEndpointTest {

    private static final EntryKey KEY = new EntryKey("ns", "rec", "plain");
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.000000600Z");
    private static final UUID ID = UUID.fromString("00112233-4455-4677-8899-aabbccddeeff");

    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private final EventSourceMetrics metrics = new EventSourceMetrics(new SimpleMeterRegistry());

    @Test
    void aPostBecomesAnEventWithTheEnvelopeAndItsBodyAsItWas() throws IOException {
        WebhookEndpoint endpoint = endpoint("{method: POST, metadata: {k: v, a: '1'}}");
        String body = " { \"b\" : [1 , 2.50, 1e3],\n \"a\":\"<x&y>\", \"a\":1 } ";
        WebhookResponse answer =
                endpoint.handle(post(body, new Header("content-type", "application/json")));
        assertThat(answer).isEqualTo(WebhookResponse.success());
        ProducerRecord<String, byte[]> record = producer.history().getFirst();
        assertThat(record.topic()).isEqualTo("millrace.events");
        assertThat(record.key()).isEqualTo("ns/rec/plain");
        assertThat(new String(record.value(), StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"header\":{\"Content-Type\":[\"application/json\"]},\"body\":{\"b\":[1,2.50,1e3],\"a\":\"\\u003cx\\u0026y\\u003e\",\"a\":1},\"metadata\":{\"a\":\"1\",\"k\":\"v\"}}");
        assertThat(header(record, "ce_id")).isEqualTo("00112233445546778899aabbccddeeff");
        assertThat(header(record, "ce_source")).isEqualTo("rec");
        assertThat(header(record, "ce_subject")).isEqualTo("plain");
        assertThat(header(record, "ce_type")).isEqualTo("webhook");
        assertThat(header(record, "ce_specversion")).isEqualTo("1.0");
        assertThat(header(record, "ce_time")).isEqualTo("2026-01-02T03:04:05.0000006Z");
        assertThat(header(record, "content-type")).isEqualTo("application/json");
        assertThat(metrics.of(KEY).received().count()).isEqualTo(1);
        assertThat(metrics.of(KEY).published().count()).isEqualTo(1);
    }

    @Test
    void aGetCarriesItsQueryAndNoBody() throws IOException {
        WebhookEndpoint endpoint = endpoint("{method: GET}");
        assertThat(endpoint.handle(request("GET", "a=1&b=x+y&a=2", "ignored"))).isEqualTo(ok());
        assertThat(endpoint.handle(request("GET", null, ""))).isEqualTo(ok());
        assertThat(data())
                .containsExactly(
                        "{\"header\":{},\"body\":{\"a\":[\"1\",\"2\"],\"b\":[\"x y\"]}}",
                        "{\"header\":{},\"body\":{}}");
    }

    @Test
    void aFormIsOneOnlyWithExactlyItsContentType() throws IOException {
        WebhookEndpoint endpoint = endpoint("{method: POST}");
        Header form = new Header("Content-Type", "application/x-www-form-urlencoded");
        assertThat(endpoint.handle(post("a=1&a=3", form))).isEqualTo(ok());
        assertThat(endpoint.handle(post("a=%zz", form)).status()).isEqualTo(400);
        Header charset =
                new Header("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
        assertThat(endpoint.handle(post("a=1", charset)))
                .isEqualTo(
                        WebhookResponse.of(
                                400,
                                "json: error calling MarshalJSON for type *json.RawMessage: invalid character 'a' looking for beginning of value"));
        assertThat(data()).hasSize(1).first().asString().contains("\"body\":{\"a\":[\"1\",\"3\"]}");
    }

    @Test
    void otherMethodsAreRefusedInArgosWords() throws IOException {
        WebhookEndpoint put = endpoint("{method: PUT}");
        assertThat(put.handle(request("PUT", null, "1")))
                .isEqualTo(WebhookResponse.of(400, "unsupoorted method: PUT"));
        assertThat(put.handle(request("POST", null, "1")))
                .isEqualTo(WebhookResponse.of(400, "http method does not match"));
        assertThat(put.warning()).contains("method PUT makes no events");
        WebhookEndpoint any = endpoint("{}");
        assertThat(any.warning()).isNull();
        assertThat(any.handle(request("POST", null, "1"))).isEqualTo(ok());
        assertThat(any.handle(request("GET", null, ""))).isEqualTo(ok());
        assertThat(any.handle(request("PATCH", null, "1")).status()).isEqualTo(400);
    }

    @Test
    void aBodyBeyondTheEntrysLimitIsRefusedWhetherAnnouncedOrNot() throws IOException {
        WebhookEndpoint small = endpoint("{method: POST, maxPayloadSize: 20}");
        String message = "failed to parse request body, http: request body too large";
        WebhookResponse refused = WebhookResponse.of(400, message + message);
        assertThat(small.handle(request("POST", null, "\"123456789012345678\""))).isEqualTo(ok());
        assertThat(small.handle(request("POST", null, "\"1234567890123456789\"")))
                .isEqualTo(refused);
        assertThat(small.handle(unannounced("\"1234567890123456789\""))).isEqualTo(refused);
    }

    @Test
    void whatTheLogCannotTakeIsRefusedAtOnceWithTheCure() throws IOException {
        WebhookEndpoint endpoint = endpoint("{method: POST, maxPayloadSize: 100000000}");
        WebhookRequest announced =
                new WebhookRequest(
                        "POST",
                        null,
                        List.of(),
                        17_000_000,
                        new ByteArrayInputStream(new byte[0]) {
                            @Override
                            public byte[] readNBytes(int len) {
                                throw new AssertionError("the body is not read");
                            }
                        });
        WebhookResponse answer = endpoint.handle(announced);
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body())
                .contains("put the data where a workflow can fetch it")
                .contains("17000000");
        // Short enough on the wire, too long once its brackets are escaped.
        String grows = "\"" + "<".repeat(4_000_000) + "\"";
        assertThat(endpoint.handle(request("POST", null, grows)).status()).isEqualTo(413);
        assertThat(producer.history()).isEmpty();
    }

    @Test
    void aSecretThatIsNotThereIsTheServersFault() throws IOException {
        WebhookEndpoint endpoint = endpoint("{method: POST, authSecret: {name: gone, key: k}}");
        Header bearer = new Header("Authorization", "Bearer x");
        assertThat(endpoint.handle(post("1", bearer)))
                .isEqualTo(WebhookResponse.of(500, "Error loading auth token"));
        assertThat(endpoint.handle(post("1")))
                .isEqualTo(WebhookResponse.of(401, "Invalid Authorization Header"));
    }

    @Test
    void theTokenIsCheckedBeforeTheMethod() throws IOException {
        WebhookEndpoint endpoint = endpoint("{method: GET, authSecret: {name: auth, key: token}}");
        assertThat(endpoint.handle(post("1", new Header("Authorization", "Bearer nope"))))
                .isEqualTo(WebhookResponse.of(401, "Invalid Auth token"));
        assertThat(endpoint.handle(post("1", new Header("Authorization", "Bearer s3cret"))))
                .isEqualTo(WebhookResponse.of(400, "http method does not match"));
    }

    @Test
    void aProducerThatGivesUpIsA500() throws IOException {
        producer.sendException = new org.apache.kafka.common.errors.TimeoutException("late");
        assertThat(endpoint("{method: POST}").handle(post("1")))
                .isEqualTo(WebhookResponse.of(500, "failed to record event"));
        assertThat(metrics.of(KEY).failed().count()).isEqualTo(1);
        assertThat(metrics.of(KEY).published().count()).isZero();
    }

    @Test
    void successIsSaidOnlyWhenTheLogHasTheEvent() throws Exception {
        MockProducer<String, byte[]> slow =
                new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
        WebhookEndpoint endpoint = endpoint("{method: POST}", null, slow);
        CompletableFuture<WebhookResponse> answer =
                CompletableFuture.supplyAsync(() -> handle(endpoint, post("1")));
        while (slow.history().isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(answer).isNotDone();
        assertThat(slow.completeNext()).isTrue();
        assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo(ok());
    }

    @Test
    void nothingIsAcceptedDuringTheShutdown() throws IOException {
        WebhookDispatcher dispatcher = new WebhookDispatcher();
        dispatcher.add(endpoint("{method: POST}"));
        assertThat(dispatcher.handle("ns", "rec", "plain", post("1"))).isEqualTo(ok());
        dispatcher.drain();
        assertThat(dispatcher.handle("ns", "rec", "plain", post("1")).status()).isEqualTo(503);
        assertThat(producer.history()).hasSize(1);
    }

    @Test
    void nothingIsAcceptedWhenTheDiskIsNearlyFull() throws IOException {
        DiskSpace full = new DiskSpace(Path.of("."), Long.MAX_VALUE);
        WebhookResponse answer = endpoint("{method: POST}", full).handle(post("1"));
        assertThat(answer.status()).isEqualTo(507);
        assertThat(answer.body()).contains("Free some space");
        assertThat(producer.history()).isEmpty();
    }

    private WebhookEndpoint endpoint(String yaml) {
        return endpoint(yaml, null);
    }

    private WebhookEndpoint endpoint(String yaml, DiskSpace disk) {
        return endpoint(yaml, disk, producer);
    }

    private static WebhookResponse handle(WebhookEndpoint endpoint, WebhookRequest request) {
        try {
            return endpoint.handle(request);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private WebhookEndpoint endpoint(
            String yaml, DiskSpace disk, MockProducer<String, byte[]> target) {
        WebhookSource config =
                Json.convert(
                        YamlReader.read("test", yaml).documents().getFirst().tree(),
                        WebhookSource.class);
        Secrets secrets =
                (namespace, name, key) ->
                        name.equals("auth") ? Optional.of("s3cret") : Optional.empty();
        return new WebhookEndpoint(
                KEY,
                config,
                secrets,
                new EventPublisher(target, disk, InstantSource.fixed(NOW), () -> ID),
                metrics.of(KEY));
    }

    private List<String> data() {
        return producer.history().stream()
                .map(r -> new String(r.value(), StandardCharsets.UTF_8))
                .toList();
    }

    private static WebhookResponse ok() {
        return WebhookResponse.success();
    }

    private static WebhookRequest post(String body, Header... headers) {
        return new WebhookRequest(
                "POST", null, new ArrayList<>(List.of(headers)), body.length(), stream(body));
    }

    private static WebhookRequest request(String method, String query, String body) {
        return new WebhookRequest(method, query, List.of(), body.length(), stream(body));
    }

    private static WebhookRequest unannounced(String body) {
        return new WebhookRequest("POST", null, List.of(), -1, stream(body));
    }

    private static ByteArrayInputStream stream(String body) {
        return new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
    }

    private static String header(ProducerRecord<String, byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
