package dev.millrace.schemas.sensor;

import dev.millrace.schemas.workflow.ConfigMapKeySelector;
import dev.millrace.schemas.workflow.SecretKeySelector;
import org.jspecify.annotations.Nullable;

/** A header whose value is kept elsewhere. */
public record SecureHeader(@Nullable String name, @Nullable ValueFrom valueFrom) {

    /** One of the two. */
    public record ValueFrom(
            @Nullable SecretKeySelector secretKeyRef,
            @Nullable ConfigMapKeySelector configMapKeyRef) {}
}
