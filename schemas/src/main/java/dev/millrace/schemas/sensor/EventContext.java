package dev.millrace.schemas.sensor;

import org.jspecify.annotations.Nullable;

/** Attributes of a CloudEvent that must be equal. */
public record EventContext(
        @Nullable String id,
        @Nullable String source,
        @Nullable String specversion,
        @Nullable String type,
        @Nullable String datacontenttype,
        @Nullable String subject,
        @Nullable String time) {}
