package dev.millrace.triggers.action;

import dev.millrace.log.ConfigMaps;
import dev.millrace.log.Secrets;
import dev.millrace.schemas.sensor.HttpTrigger;
import dev.millrace.schemas.sensor.TriggerPolicy;
import dev.millrace.triggers.parameter.Parameters;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Sends a request. Any answer is a success, unless {@code policy.status} names those that are. The
 * header {@code Idempotency-Key} holds the activation's id, the same at every attempt, so that a
 * receiver can tell repeats.
 */
public final class HttpExecutor implements TriggerExecutor<HttpTrigger>, AutoCloseable {

    static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private static final long DEFAULT_TIMEOUT_SECONDS = 60;

    static {
        // Triggers set these two; the JDK's client forbids them unless this was said before it is
        // first used.
        if (System.getProperty("jdk.httpclient.allowRestrictedHeaders") == null) {
            System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host,connection");
        }
    }

    private final HttpHeaders headers;
    private final TlsContexts tls;
    private final HttpClient client = client(null);

    public HttpExecutor(Secrets secrets, ConfigMaps configMaps) {
        this.headers = new HttpHeaders(secrets, configMaps);
        this.tls = new TlsContexts(secrets);
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public DispatchOutcome execute(Attempt attempt, HttpTrigger action)
            throws InterruptedException {
        return switch (attempt.parameters().apply(attempt.action(), action.parameters())) {
            case Parameters.Applied.Failed(String message) -> new DispatchOutcome.Failed(message);
            case Parameters.Applied.Unsupported(String message) ->
                    new DispatchOutcome.Refused(message);
            case Parameters.Applied.Done(String json) -> {
                HttpTrigger changed;
                try {
                    changed = StrictJson.read(json, HttpTrigger.class);
                } catch (JacksonException e) {
                    yield new DispatchOutcome.Failed(
                            "the http trigger does not fit after its parameters: "
                                    + e.getOriginalMessage());
                }
                yield withPayload(attempt, changed);
            }
        };
    }

    private DispatchOutcome withPayload(Attempt attempt, HttpTrigger http)
            throws InterruptedException {
        return switch (attempt.parameters().payload(http.payload())) {
            case Parameters.Applied.Failed(String message) -> new DispatchOutcome.Failed(message);
            case Parameters.Applied.Unsupported(String message) ->
                    new DispatchOutcome.Refused(message);
            case Parameters.Applied.Done(String body) ->
                    switch (headers.of(attempt, http)) {
                        case HttpHeaders.Made.Failed(String message) ->
                                new DispatchOutcome.Failed(message);
                        case HttpHeaders.Made.Unsupported(String message) ->
                                new DispatchOutcome.Refused(message);
                        case HttpHeaders.Made.Done(Map<String, String> all) ->
                                send(attempt, http, all, body);
                    };
        };
    }

    private DispatchOutcome send(
            Attempt attempt, HttpTrigger http, Map<String, String> all, String body)
            throws InterruptedException {
        URI uri;
        try {
            uri = new URI(escaped(String.valueOf(http.url())));
        } catch (URISyntaxException e) {
            return new DispatchOutcome.Failed("url: " + e.getMessage());
        }
        String method = http.method() == null || http.method().isEmpty() ? "POST" : http.method();
        long seconds =
                http.timeout() == null || http.timeout() <= 0
                        ? DEFAULT_TIMEOUT_SECONDS
                        : http.timeout();
        HttpCall call =
                new HttpCall(
                        method,
                        uri,
                        all,
                        body.getBytes(StandardCharsets.UTF_8),
                        Duration.ofSeconds(seconds));
        if (http.tls() == null) {
            return judged(call.send(client), attempt.policy());
        }
        return switch (tls.of(attempt.activation().namespace(), http.tls())) {
            case TlsContexts.Made.Failed(String message) -> new DispatchOutcome.Failed(message);
            case TlsContexts.Made.Done(var context) -> {
                // Of its own: another trigger's certificates must not be used for it.
                try (HttpClient own = client(context)) {
                    yield judged(call.send(own), attempt.policy());
                }
            }
        };
    }

    /** With what may not stand in an address escaped, as Go sends it. */
    static String escaped(String url) {
        StringBuilder all = new StringBuilder(url.length());
        for (byte b : url.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c <= ' ' || c >= 0x7f || "\"<>\\^`{|}".indexOf(c) >= 0) {
                all.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            } else {
                all.append(c);
            }
        }
        return all.toString();
    }

    private static DispatchOutcome judged(HttpCall.Answer answer, @Nullable TriggerPolicy policy) {
        return switch (answer) {
            case HttpCall.Answer.None(String message) -> new DispatchOutcome.Failed(message);
            case HttpCall.Answer.Unsendable(String message) -> new DispatchOutcome.Refused(message);
            case HttpCall.Answer.Status(int status) ->
                    policy == null
                                    || policy.status() == null
                                    || policy.status().allow().contains(status)
                            ? new DispatchOutcome.Succeeded("http response status " + status)
                            : new DispatchOutcome.Failed(
                                    "http response status " + status + " is not allowed");
        };
    }

    private static HttpClient client(javax.net.ssl.@Nullable SSLContext context) {
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        // The upgrade to HTTP/2 sends headers that simple receivers refuse.
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(30))
                        .followRedirects(HttpClient.Redirect.NEVER);
        return context == null ? builder.build() : builder.sslContext(context).build();
    }
}
