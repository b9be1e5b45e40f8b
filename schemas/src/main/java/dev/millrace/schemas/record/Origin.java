package dev.millrace.schemas.record;

import org.jspecify.annotations.Nullable;

/**
 * Who or what asked for a workflow.
 *
 * @param activationId the activation whose trigger did it, absent for people
 * @param creator the user, absent for triggers
 * @param kind of the object that {@code sensor} names; absent for a Sensor
 */
public record Origin(
        @Nullable String sensor,
        @Nullable String trigger,
        @Nullable String activationId,
        @Nullable String creator,
        @Nullable String kind) {

    /** A Sensor or a person. */
    public Origin(
            @Nullable String sensor,
            @Nullable String trigger,
            @Nullable String activationId,
            @Nullable String creator) {
        this(sensor, trigger, activationId, creator, null);
    }
}
