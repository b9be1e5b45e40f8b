package dev.millrace.schemas.event;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The spec of an EventBus: one transport, kept as written. */
public record EventBusSpec(
        @Nullable JsonNode nats,
        @Nullable JsonNode jetstream,
        @Nullable JsonNode jetstreamExotic,
        @Nullable JsonNode kafka) {}
