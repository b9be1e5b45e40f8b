package dev.millrace.eventsources;

import dev.millrace.eventsources.calendar.CalendarEntry;
import dev.millrace.eventsources.state.SourceStateOwnership;
import dev.millrace.eventsources.webhook.Seniority;
import dev.millrace.eventsources.webhook.WebhookDispatcher;
import dev.millrace.eventsources.webhook.WebhookEntry;
import dev.millrace.eventsources.webhook.WebhookListeners;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.eventsource.CalendarSource;
import dev.millrace.schemas.eventsource.EventSourceSpec;
import dev.millrace.schemas.eventsource.EventSourceType;
import dev.millrace.schemas.eventsource.WebhookSource;
import java.util.UUID;

/** Makes entries from what manifests say. */
final class EntryFactory {

    private final EventSourcePorts ports;
    private final EventPublisher publisher;
    private final EventSourceMetrics metrics;
    private final WebhookListeners listeners;
    private final WebhookDispatcher dispatcher;
    private final SourceStateOwnership ownership;

    EntryFactory(
            EventSourcePorts ports,
            WebhookListeners listeners,
            WebhookDispatcher dispatcher,
            SourceStateOwnership ownership) {
        this.ports = ports;
        this.publisher =
                new EventPublisher(ports.events(), ports.disk(), ports.clock(), UUID::randomUUID);
        this.metrics = new EventSourceMetrics(ports.meters());
        this.listeners = listeners;
        this.dispatcher = dispatcher;
        this.ownership = ownership;
    }

    EventSourceEntry create(EntryKey key, EventSourceSpec.Entry entry, Seniority seniority) {
        return switch (entry.type()) {
            case WEBHOOK ->
                    new WebhookEntry(
                            key,
                            Json.convert(entry.config(), WebhookSource.class),
                            seniority,
                            ports.secrets(),
                            publisher,
                            metrics.of(key),
                            listeners,
                            dispatcher);
            case CALENDAR ->
                    new CalendarEntry(
                            key,
                            Json.convert(entry.config(), CalendarSource.class),
                            ownership,
                            metrics.of(key),
                            ports.clock());
            case GITHUB,
                    GITLAB,
                    BITBUCKET,
                    BITBUCKETSERVER,
                    GERRIT,
                    SLACK,
                    STRIPE,
                    SNS,
                    STORAGE_GRID,
                    FILE,
                    SFTP,
                    HDFS,
                    RESOURCE,
                    MINIO,
                    AMQP,
                    KAFKA,
                    MQTT,
                    NATS,
                    NSQ,
                    REDIS,
                    REDIS_STREAM,
                    PULSAR,
                    EMITTER,
                    SQS,
                    PUB_SUB,
                    AZURE_EVENTS_HUB,
                    AZURE_SERVICE_BUS,
                    AZURE_QUEUE_STORAGE,
                    MNS,
                    GENERIC ->
                    _ -> {
                        throw unsupported(entry.type());
                    };
        };
    }

    static EntryConfigurationException unsupported(EventSourceType type) {
        return new EntryConfigurationException(
                "event source type "
                        + type
                        + " is not supported yet; there are webhook and calendar");
    }
}
