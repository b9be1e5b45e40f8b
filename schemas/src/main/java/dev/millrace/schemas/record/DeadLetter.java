package dev.millrace.schemas.record;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A record of {@code dead-letters}: what could not be processed. Keyed by its origin.
 *
 * @param origin where it came from: {@code topic/partition/offset}, or an activation id
 * @param reason why, for a person; secrets are masked
 * @param value the record: JSON where it is JSON, else base64 text
 * @param history failures of the attempts, oldest first
 */
public record DeadLetter(
        String id,
        String origin,
        @Nullable String key,
        String reason,
        JsonNode value,
        List<String> history,
        Instant at) {}
