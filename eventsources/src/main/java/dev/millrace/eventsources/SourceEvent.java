package dev.millrace.eventsources;

import dev.millrace.log.Topics;
import dev.millrace.log.serde.CloudEventRecords;
import dev.millrace.schemas.eventsource.EventSourceType;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * An event as a source makes it, with the envelope that sensors rely on.
 *
 * @param id 32 hex digits
 * @param time of publishing
 * @param data JSON text
 * @param extensions further attributes of the CloudEvent
 */
public record SourceEvent(
        EntryKey entry,
        EventSourceType type,
        String id,
        Instant time,
        String data,
        Map<String, String> extensions) {

    public SourceEvent {
        extensions = Map.copyOf(extensions);
    }

    /** Its record in {@code events}. */
    public ProducerRecord<String, byte[]> toRecord() {
        CloudEventBuilder event =
                CloudEventBuilder.v1()
                        .withId(id)
                        .withSource(uri(entry.eventSource()))
                        .withSubject(entry.event())
                        .withType(ceType(type))
                        .withTime(time.atOffset(ZoneOffset.UTC))
                        .withDataContentType("application/json")
                        .withData(data.getBytes(StandardCharsets.UTF_8));
        extensions.forEach(event::withExtension);
        CloudEvent built = event.build();
        return CloudEventRecords.toRecord(Topics.EVENTS, entry.toString(), built);
    }

    /** Names of objects are DNS names, so this changes none of those that an API server takes. */
    private static URI uri(String name) {
        try {
            return new URI(null, null, name, null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("no name of an EventSource: " + name, e);
        }
    }

    /** As written below {@code spec}, but for the two that Argo Events spells otherwise. */
    private static String ceType(EventSourceType type) {
        return switch (type) {
            case STORAGE_GRID, PUB_SUB -> type.key().toLowerCase(Locale.ROOT);
            case WEBHOOK,
                    GITHUB,
                    GITLAB,
                    BITBUCKET,
                    BITBUCKETSERVER,
                    GERRIT,
                    SLACK,
                    STRIPE,
                    SNS,
                    CALENDAR,
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
                    AZURE_EVENTS_HUB,
                    AZURE_SERVICE_BUS,
                    AZURE_QUEUE_STORAGE,
                    MNS,
                    GENERIC ->
                    type.key();
        };
    }
}
