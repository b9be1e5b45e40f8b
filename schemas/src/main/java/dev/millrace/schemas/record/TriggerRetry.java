package dev.millrace.schemas.record;

import java.time.Instant;
import java.util.List;

/**
 * A record of {@code trigger-retries}: an attempt failed and is due again. Keyed by activation id.
 *
 * @param attempt number of the attempt that is due, from 2
 * @param due not before this instant
 * @param failures what went wrong so far, oldest first
 */
public record TriggerRetry(
        Activation activation, int attempt, Instant due, List<String> failures, boolean released) {}
