package dev.millrace.eventsources.webhook;

import dev.millrace.eventsources.EntryKey;
import dev.millrace.eventsources.EventFilter;
import dev.millrace.eventsources.EventPublisher;
import dev.millrace.eventsources.EventSourceMetrics.EntryCounters;
import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.log.Secrets;
import dev.millrace.schemas.eventsource.EventSourceType;
import dev.millrace.schemas.eventsource.WebhookSource;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of one webhook entry, any number at a time. 200 is said only when the log
 * has the event, or its filter dropped it.
 */
final class WebhookEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookEndpoint.class);
    private static final long DEFAULT_MAX_PAYLOAD = 1024 * 1024;

    private final EntryKey key;
    private final WebhookSource config;
    private final BearerToken token;
    private final EventFilter filter;
    private final EventPublisher publisher;
    private final EntryCounters counters;

    WebhookEndpoint(
            EntryKey key,
            WebhookSource config,
            Secrets secrets,
            EventPublisher publisher,
            EntryCounters counters) {
        this.key = key;
        this.config = config;
        this.token = new BearerToken(secrets, key.namespace(), config.authSecret());
        this.filter = EventFilter.of(config.filter());
        this.publisher = publisher;
        this.counters = counters;
    }

    EntryKey key() {
        return key;
    }

    /** What a person should know about an entry that cannot do what it was meant for. */
    @Nullable String warning() {
        String method = config.method();
        if (method != null && !method.isEmpty() && !isServed(method)) {
            return "method "
                    + method
                    + " makes no events: only GET and POST (in capitals) do, every request is answered with 400";
        }
        return filter.warning();
    }

    /**
     * @throws IOException if the sender goes away while its body is read
     */
    WebhookResponse handle(WebhookRequest request) throws IOException {
        Optional<WebhookResponse> refusal = token.refusal(request);
        if (refusal.isPresent()) {
            return failed(refusal.get());
        }
        String method = config.method();
        if (method != null && !method.isEmpty() && !method.equals(request.method())) {
            return failed(WebhookResponse.of(400, "http method does not match"));
        }
        if (!isServed(request.method())) {
            return failed(WebhookResponse.of(400, "unsupoorted method: " + request.method()));
        }
        Optional<String> full = publisher.noRoom();
        if (full.isPresent()) {
            return failed(WebhookResponse.of(507, full.get()));
        }
        Long configured = config.maxPayloadSize();
        long maxPayload = configured == null || configured <= 0 ? DEFAULT_MAX_PAYLOAD : configured;
        return switch (WebhookBody.read(request, maxPayload, EventPublisher.MAX_DATA_BYTES)) {
            case WebhookBody.Refused refused ->
                    failed(WebhookResponse.of(refused.status(), refused.message()));
            case WebhookBody.Json body -> publish(request, body);
        };
    }

    private WebhookResponse publish(WebhookRequest request, WebhookBody.Json body) {
        counters.received().increment();
        String data = data(request, body);
        return switch (filter.judge(data)) {
            case EventFilter.Dropped dropped -> {
                counters.filtered().increment();
                LOG.info("{}: an event is dropped: {}", key, dropped.reason());
                yield WebhookResponse.success();
            }
            case EventFilter.Passed _ ->
                    switch (publisher.publish(key, EventSourceType.WEBHOOK, data)) {
                        case EventPublisher.Published _ -> {
                            counters.published().increment();
                            yield WebhookResponse.success();
                        }
                        case EventPublisher.TooLarge large -> {
                            WebhookBody.Refused refused =
                                    WebhookBody.tooLargeForTheLog(
                                            large.bytes(), EventPublisher.MAX_DATA_BYTES);
                            yield failed(WebhookResponse.of(refused.status(), refused.message()));
                        }
                        case EventPublisher.NotPublished not -> {
                            LOG.error("{}: an event was not recorded", key, not.cause());
                            yield failed(WebhookResponse.of(500, "failed to record event"));
                        }
                    };
        };
    }

    /** Members in the order that Argo Events declares, the maps sorted. */
    private String data(WebhookRequest request, WebhookBody.Json body) {
        StringBuilder data = new StringBuilder(body.text().length() + 256);
        data.append("{\"header\":").append(GoJson.encode(HeaderMap.of(request.headers())));
        data.append(",\"body\":").append(body.text());
        if (!config.metadata().isEmpty()) {
            data.append(",\"metadata\":").append(GoJson.encode(config.metadata()));
        }
        return data.append('}').toString();
    }

    private WebhookResponse failed(WebhookResponse response) {
        counters.failed().increment();
        return response;
    }

    private static boolean isServed(String method) {
        return method.equals("GET") || method.equals("POST");
    }
}
