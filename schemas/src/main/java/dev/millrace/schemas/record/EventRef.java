package dev.millrace.schemas.record;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event as sensors pass it on: the CloudEvent's attributes and its data.
 *
 * @param id CloudEvent id
 * @param source name of the event source object
 * @param subject name of the event within it
 * @param type CloudEvent type
 * @param time instant of publishing
 * @param data the data, the JSON text as it came (number text, order and duplicate members survive)
 */
public record EventRef(
        String id,
        String namespace,
        String source,
        String subject,
        String type,
        String specVersion,
        @Nullable String dataContentType,
        Instant time,
        String data) {}
