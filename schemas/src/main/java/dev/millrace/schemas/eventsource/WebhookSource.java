package dev.millrace.schemas.eventsource;

import dev.millrace.schemas.workflow.SecretKeySelector;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry of type {@code webhook}.
 *
 * @param port a number, written as text
 * @param maxPayloadSize bytes; absent means 1 MiB
 * @param url public base address; only used to register hooks
 */
public record WebhookSource(
        @Nullable String endpoint,
        @Nullable String method,
        @Nullable String port,
        @Nullable String url,
        @Nullable SecretKeySelector serverCertSecret,
        @Nullable SecretKeySelector serverKeySecret,
        Map<String, String> metadata,
        @Nullable SecretKeySelector authSecret,
        @Nullable Long maxPayloadSize,
        @Nullable EventSourceFilter filter) {
    public WebhookSource {
        metadata = metadata == null ? Map.of() : metadata;
    }
}
