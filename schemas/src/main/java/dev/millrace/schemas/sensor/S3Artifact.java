package dev.millrace.schemas.sensor;

import dev.millrace.schemas.workflow.SecretKeySelector;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object of an S3 store. */
public record S3Artifact(
        @Nullable String endpoint,
        @Nullable S3Bucket bucket,
        @Nullable String region,
        @Nullable Boolean insecure,
        @Nullable SecretKeySelector accessKey,
        @Nullable SecretKeySelector secretKey,
        List<String> events,
        @Nullable S3Filter filter,
        Map<String, String> metadata,
        @Nullable SecretKeySelector caCertificate) {

    public S3Artifact {
        events = events == null ? List.of() : events;
        metadata = metadata == null ? Map.of() : metadata;
    }

    /** A bucket and, within it, an object. */
    public record S3Bucket(@Nullable String name, @Nullable String key) {}

    /** Which objects of the bucket; only sources look at it. */
    public record S3Filter(@Nullable String prefix, @Nullable String suffix) {}
}
