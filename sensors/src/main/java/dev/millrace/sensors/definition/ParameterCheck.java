package dev.millrace.sensors.definition;

import dev.millrace.schemas.sensor.TriggerParameter;
import dev.millrace.schemas.sensor.TriggerParameterSource;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.sensors.definition.SensorProblem.Effect;
import dev.millrace.sensors.definition.SensorProblem.Part;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules for a list of parameters. */
final class ParameterCheck {

    private static final Set<String> OPERATIONS = Set.of("", "append", "overwrite", "prepend");

    private final String owner;
    private final List<SensorProblem> problems;

    ParameterCheck(String owner, List<SensorProblem> problems) {
        this.owner = owner;
        this.problems = problems;
    }

    /**
     * @param prefix of messages, before the number of the parameter
     */
    void list(List<TriggerParameter> parameters, DocumentPath path, String prefix) {
        check(parameters, path, prefix, true);
    }

    /** The payload of an http trigger: a parameter without {@code dest} is the whole body. */
    void httpPayload(List<TriggerParameter> parameters, DocumentPath path, String prefix) {
        check(parameters, path, prefix, false);
    }

    private void check(
            List<TriggerParameter> parameters, DocumentPath path, String prefix, boolean dest) {
        for (int i = 0; i < parameters.size(); i++) {
            TriggerParameter parameter = parameters.get(i);
            DocumentPath place = path.index(i);
            String start = prefix + " index: " + i + ". err: ";
            TriggerParameterSource source = parameter.src();
            if (source == null) {
                refuse(place.key("src"), start + "parameter source can't be empty");
                continue;
            }
            if (isEmpty(source.dependencyName())) {
                refuse(
                        place.key("src").key("dependencyName"),
                        start + "parameter dependency name can't be empty");
            }
            if (dest && isEmpty(parameter.dest())) {
                refuse(place.key("dest"), start + "parameter destination can't be empty");
            }
            if (!OPERATIONS.contains(orEmpty(parameter.operation()))) {
                refuse(
                        place.key("operation"),
                        start + "parameter operation " + parameter.operation() + " is invalid");
            }
            template(source.dataTemplate(), place.key("src").key("dataTemplate"));
            template(source.contextTemplate(), place.key("src").key("contextTemplate"));
        }
    }

    private void template(@Nullable String template, DocumentPath path) {
        if (!isEmpty(template)) {
            problems.add(
                    new SensorProblem(
                            Part.TRIGGERS,
                            path,
                            "a template in a parameter is not supported yet",
                            "take a value as it is, with dataKey or contextKey",
                            new Effect.FailsTrigger(owner)));
        }
    }

    private void refuse(DocumentPath path, String message) {
        problems.add(SensorProblem.trigger(path, message, ""));
    }

    private static boolean isEmpty(@Nullable String text) {
        return text == null || text.isEmpty();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
