package dev.millrace.log.serde;

import dev.millrace.schemas.Json;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.data.BytesCloudEventData;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.cloudevents.rw.CloudEventRWException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Base64;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * CloudEvents in records: written in binary mode (attributes are headers, the value is the data as
 * it is), read in binary and in structured mode, which other writers of the topic may use.
 */
public final class CloudEventRecords implements RecordDecoder<CloudEvent> {

    private static final String STRUCTURED_JSON = "application/cloudevents+json";

    /** The record of an event, in binary mode. */
    public static ProducerRecord<String, byte[]> toRecord(
            String topic, String key, CloudEvent event) {
        return KafkaMessageFactory.createWriter(topic, key).writeBinary(event);
    }

    @Override
    public CloudEvent decode(ConsumerRecord<String, byte[]> record) {
        return decode(
                record.topic(),
                record.partition(),
                record.offset(),
                record.headers(),
                record.value());
    }

    /**
     * @param partition -1 when not known
     * @param offset -1 when not known
     * @throws UndecodableRecordException if it is no CloudEvent of version 1.0
     */
    public static CloudEvent decode(
            String topic, int partition, long offset, Headers headers, byte[] value) {
        try {
            Header contentType = headers.lastHeader("content-type");
            if (contentType != null
                    && new String(contentType.value(), StandardCharsets.UTF_8)
                            .startsWith(STRUCTURED_JSON)) {
                return structured(value);
            }
            return KafkaMessageFactory.createReader(headers, value).toEvent();
        } catch (CloudEventRWException
                | JacksonException
                | IllegalArgumentException
                | IllegalStateException
                | DateTimeException e) {
            throw new UndecodableRecordException(
                    topic, partition, offset, "no CloudEvent: " + e.getMessage(), e);
        }
    }

    /** Read by our own mapper: the SDK's JSON format would bring a second one. */
    private static CloudEvent structured(byte[] value) {
        if (!(Json.mapper().readTree(value) instanceof ObjectNode json)) {
            throw new IllegalArgumentException("a structured event is a JSON object");
        }
        if (!"1.0".equals(text(json, "specversion"))) {
            throw new IllegalArgumentException("specversion is not 1.0");
        }
        CloudEventBuilder event = CloudEventBuilder.v1();
        json.properties().forEach(p -> attribute(event, p.getKey(), p.getValue()));
        String base64 = text(json, "data_base64");
        JsonNode data = json.get("data");
        if (base64 != null) {
            event.withData(Base64.getDecoder().decode(base64));
        } else if (data != null) {
            event.withData(BytesCloudEventData.wrap(bytes(data, text(json, "datacontenttype"))));
        }
        return event.build();
    }

    private static void attribute(CloudEventBuilder event, String name, JsonNode value) {
        if (value.isNull()) {
            return;
        }
        switch (name) {
            case "specversion", "data", "data_base64" -> {}
            case "id" -> event.withId(value.stringValue());
            case "source" -> event.withSource(URI.create(value.stringValue()));
            case "type" -> event.withType(value.stringValue());
            case "subject" -> event.withSubject(value.stringValue());
            case "time" -> event.withTime(OffsetDateTime.parse(value.stringValue()));
            case "datacontenttype" -> event.withDataContentType(value.stringValue());
            case "dataschema" -> event.withDataSchema(URI.create(value.stringValue()));
            default -> extension(event, name, value);
        }
    }

    private static void extension(CloudEventBuilder event, String name, JsonNode value) {
        if (value.isBoolean()) {
            event.withExtension(name, value.booleanValue());
        } else if (value.isIntegralNumber()) {
            event.withExtension(name, value.intValue());
        } else {
            event.withExtension(name, value.asString());
        }
    }

    /** A JSON text is the data itself only where the data is not JSON. */
    private static byte[] bytes(JsonNode data, @Nullable String contentType) {
        boolean json = contentType == null || contentType.contains("json");
        return data.isString() && !json
                ? data.stringValue().getBytes(StandardCharsets.UTF_8)
                : Json.mapper().writeValueAsBytes(data);
    }

    @Nullable
    private static String text(ObjectNode json, String member) {
        JsonNode value = json.get(member);
        return value == null || !value.isString() ? null : value.stringValue();
    }
}
