package dev.millrace.triggers.action;

import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.sensor.TriggerPolicy;
import dev.millrace.triggers.parameter.Parameters;
import org.jspecify.annotations.Nullable;

/**
 * One attempt.
 *
 * @param number from 1
 * @param action the action's block after the parameters of the template, JSON text
 * @param parameters over the events of the activation
 */
public record Attempt(
        Activation activation,
        int number,
        String action,
        @Nullable TriggerPolicy policy,
        Parameters parameters) {}
