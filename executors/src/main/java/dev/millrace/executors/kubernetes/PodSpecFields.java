package dev.millrace.executors.kubernetes;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.PodSettings;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Template;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of a pod's spec that manifests give as they are. A template's value stands in place of
 * the workflow's; only host aliases add up.
 */
final class PodSpecFields {
    private static final PodSettings NONE = Json.convert(Json.object(), PodSettings.class);

    private PodSpecFields() {}

    static void put(ObjectNode spec, StepSpec step) {
        Template own = step.template();
        PodSettings common = step.pods() == null ? NONE : step.pods();
        account(spec, own, common);
        put(spec, "affinity", own.affinity(), common.affinity());
        put(spec, "dnsConfig", null, common.dnsConfig());
        put(spec, "dnsPolicy", text(null, common.dnsPolicy()));
        put(spec, "imagePullSecrets", null, common.imagePullSecrets());
        put(spec, "nodeSelector", map(own.nodeSelector()), map(common.nodeSelector()));
        put(
                spec,
                "priorityClassName",
                text(own.priorityClassName(), common.podPriorityClassName()));
        put(spec, "resourceClaims", own.resourceClaims(), common.resourceClaims());
        put(spec, "resources", own.podResources(), common.podResources());
        put(spec, "schedulerName", text(own.schedulerName(), common.schedulerName()));
        put(spec, "securityContext", own.securityContext(), common.securityContext());
        put(spec, "tolerations", own.tolerations(), common.tolerations());
        if (common.hostNetwork() != null) {
            spec.put("hostNetwork", common.hostNetwork());
        }
        ArrayNode aliases = spec.arrayNode();
        add(aliases, common.hostAliases());
        add(aliases, own.hostAliases());
        put(spec, "hostAliases", aliases, null);
    }

    /** Steps do not talk to the cluster, unless their manifest says who they are there. */
    private static void account(ObjectNode spec, Template own, PodSettings common) {
        String account = text(own.serviceAccountName(), common.serviceAccountName());
        put(spec, "serviceAccountName", account);
        Boolean mount =
                own.automountServiceAccountToken() != null
                        ? own.automountServiceAccountToken()
                        : common.automountServiceAccountToken();
        if (mount != null) {
            spec.put("automountServiceAccountToken", mount);
        } else if (account == null) {
            spec.put("automountServiceAccountToken", false);
        }
    }

    private static @Nullable String text(@Nullable String own, @Nullable String common) {
        if (own != null && !own.isEmpty()) {
            return own;
        }
        return common == null || common.isEmpty() ? null : common;
    }

    private static @Nullable JsonNode map(Map<String, String> map) {
        return map.isEmpty() ? null : Json.tree(map);
    }

    private static void put(ObjectNode spec, String name, @Nullable String value) {
        if (value != null) {
            spec.put(name, value);
        }
    }

    private static void put(
            ObjectNode spec, String name, @Nullable JsonNode own, @Nullable JsonNode common) {
        if (isSet(own)) {
            spec.set(name, own);
        } else if (isSet(common)) {
            spec.set(name, common);
        }
    }

    /** An empty object may be meant, as an empty security context; an empty list is none. */
    private static boolean isSet(@Nullable JsonNode value) {
        return value != null && !value.isNull() && !(value.isArray() && value.isEmpty());
    }

    private static void add(ArrayNode list, @Nullable JsonNode more) {
        if (more != null) {
            more.forEach(list::add);
        }
    }
}
