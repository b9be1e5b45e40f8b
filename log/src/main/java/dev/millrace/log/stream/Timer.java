package dev.millrace.log.stream;

import java.time.Instant;

/**
 * A timer that is set.
 *
 * @param id unique within the entity
 * @param due in whole milliseconds
 */
public record Timer(String entity, String id, Instant due) {}
