package dev.millrace.schemas.sensor;

import org.jspecify.annotations.Nullable;

/**
 * A value taken from an event and where it goes.
 *
 * @param dest an sjson path; may be absent in the payload of an http trigger only
 * @param operation {@code overwrite} (also when absent), {@code append} or {@code prepend}
 */
public record TriggerParameter(
        TriggerParameterSource src, @Nullable String dest, @Nullable String operation) {}
