package dev.millrace.schemas.sensor;

import org.jspecify.annotations.Nullable;

/**
 * Writes the events to the log.
 *
 * @param intervalSeconds accepted; every event is logged
 */
public record LogTrigger(@Nullable Long intervalSeconds) implements TriggerAction {

    @Override
    public String type() {
        return "log";
    }
}
