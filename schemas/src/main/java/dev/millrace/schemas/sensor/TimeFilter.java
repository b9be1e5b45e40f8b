package dev.millrace.schemas.sensor;

import org.jspecify.annotations.Nullable;

/**
 * A daily window; it may go over midnight.
 *
 * @param start {@code HH:MM:SS}, inclusive
 * @param stop {@code HH:MM:SS}, exclusive
 * @param timezone absent means UTC
 */
public record TimeFilter(
        @Nullable String start, @Nullable String stop, @Nullable String timezone) {}
