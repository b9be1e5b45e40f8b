package dev.millrace.sensors.matching;

import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.sensors.definition.SensorDefinition;
import dev.millrace.sensors.definition.SensorProblem;
import dev.millrace.sensors.definition.SensorProblem.Part;
import dev.millrace.sensors.definition.TriggerDefinition;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the status of a sensor says. */
public final class SensorStatus {

    private SensorStatus() {}

    /**
     * Conditions as clients of the field know them, and an entry for each trigger. A trigger that
     * cannot run makes {@code TriggersProvided} false, since a green sensor that does nothing helps
     * nobody; its entry says whether the others run.
     */
    public static StatusRecord of(SensorDefinition sensor, Instant now) {
        Map<String, StatusRecord.Entry> entries = new LinkedHashMap<>();
        for (TriggerDefinition trigger : sensor.triggers()) {
            Optional<SensorProblem> problem =
                    sensor.problems().stream().filter(p -> p.concerns(trigger.name())).findFirst();
            entries.put(
                    trigger.name(),
                    new StatusRecord.Entry(
                            problem.isPresent() ? "Failed" : "Active",
                            problem.map(SensorProblem::toString).orElse(null),
                            now));
        }
        return new StatusRecord(
                "Sensor",
                sensor.namespace(),
                sensor.name(),
                sensor.version(),
                conditions(sensor),
                entries,
                now);
    }

    /** A sensor whose manifest is no sensor: a number where a text belongs, for instance. */
    public static StatusRecord malformed(
            String namespace, String name, long version, String message, Instant now) {
        return new StatusRecord(
                "Sensor",
                namespace,
                name,
                version,
                List.of(
                        condition("DependenciesProvided", "Unknown", null, null),
                        condition("TriggersProvided", "Unknown", null, null),
                        condition("Deployed", "False", "InvalidSpec", message)),
                Map.of(),
                now);
    }

    private static List<StatusRecord.Condition> conditions(SensorDefinition sensor) {
        StatusRecord.Condition dependencies =
                part(sensor, Part.DEPENDENCIES, "DependenciesProvided", "InvalidDependencies");
        // What was not looked at is not known.
        boolean dependenciesRefused =
                sensor.problem(Part.DEPENDENCIES).filter(SensorProblem::refusesSensor).isPresent();
        StatusRecord.Condition triggers =
                dependenciesRefused
                        ? condition("TriggersProvided", "Unknown", null, null)
                        : part(sensor, Part.TRIGGERS, "TriggersProvided", "InvalidTriggers");
        return List.of(
                dependencies,
                triggers,
                sensor.isRefused()
                        ? condition("Deployed", "Unknown", null, null)
                        : condition("Deployed", "True", null, null));
    }

    private static StatusRecord.Condition part(
            SensorDefinition sensor, Part part, String type, String reason) {
        return sensor.problem(part)
                .map(p -> condition(type, "False", reason, p.toString()))
                .orElseGet(() -> condition(type, "True", null, null));
    }

    private static StatusRecord.Condition condition(
            String type, String status, @Nullable String reason, @Nullable String message) {
        return new StatusRecord.Condition(type, status, reason, message);
    }
}
