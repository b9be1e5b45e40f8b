package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.schemas.workflow.Scalar;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Parameters from ConfigMaps. The submission brought their data with it, so a workflow sees them as
 * they stood then, as it does with templates.
 */
final class ConfigMapValues {
    /** ConfigMaps with other labels hold no parameters. */
    static final String LABEL = "workflows.argoproj.io/configmap-type: Parameter";

    private ConfigMapValues() {}

    /**
     * The value of a parameter that comes from a ConfigMap.
     *
     * @return null if it does not come from one, or may be missing there and is
     * @throws CallException if it must be there and is not
     */
    static @Nullable String value(Transition t, JsonNode parameter, Variables variables) {
        JsonNode from = parameter.path("valueFrom");
        if (!from.path("configMapKeyRef").isObject()) {
            return null;
        }
        JsonNode ref = Calls.replace(from.path("configMapKeyRef"), variables, Mode.STRICT);
        String name = ref.path("name").asString("");
        String key = ref.path("key").asString("");
        Map<String, String> data = t.source().configMaps().get(name);
        String value = data == null ? null : data.get(key);
        if (value != null) {
            return value;
        }
        if (from.hasNonNull("default")) {
            return Scalar.of(from.get("default")).text();
        }
        if (ref.path("optional").asBoolean(false)) {
            return null;
        }
        throw new CallException(
                data == null
                        ? "ConfigMap '%s' does not exist or lacks the label %s"
                                .formatted(name, LABEL)
                        : "ConfigMap '%s' does not have the key '%s'".formatted(name, key));
    }
}
