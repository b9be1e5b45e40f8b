package dev.millrace.triggers.action;

import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.sensor.LogTrigger;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a line for each event. */
public final class LogExecutor implements TriggerExecutor<LogTrigger> {

    private static final Logger LOG = LoggerFactory.getLogger(LogExecutor.class);

    @Override
    public DispatchOutcome execute(Attempt attempt, LogTrigger action) {
        Map<String, EventRef> events = new TreeMap<>(attempt.activation().events());
        events.forEach(
                (dependency, event) ->
                        LOG.info(
                                "{}/{}/{}: dependency {} got event {} of {}/{} at {}: {}",
                                attempt.activation().namespace(),
                                attempt.activation().sensor(),
                                attempt.activation().trigger(),
                                dependency,
                                event.id(),
                                event.source(),
                                event.subject(),
                                event.time(),
                                event.data()));
        return new DispatchOutcome.Succeeded(events.size() + " events logged");
    }
}
