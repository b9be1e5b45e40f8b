package dev.millrace.workflowengine.topology;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.workflowengine.state.WorkflowState;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How long a step may take to end by itself before it is ended by force: 30 s, as Kubernetes has
 * it, unless the template's or the workflow's {@code podSpecPatch} gives {@code
 * terminationGracePeriodSeconds}, which is where manifests of this field put it.
 */
final class GracePeriod {
    static final long DEFAULT_SECONDS = 30;

    /** The patch is JSON or YAML and may hold tags, so it need not be a document yet. */
    private static final Pattern MEMBER =
            Pattern.compile("terminationGracePeriodSeconds[\"']?\\s*:\\s*[\"']?(\\d{1,9})\\b");

    private GracePeriod() {}

    static long seconds(WorkflowState state, String nodeId) {
        Node node = state.node(nodeId);
        WorkflowSource source = state.source();
        if (node == null || source == null) {
            return DEFAULT_SECONDS;
        }
        Long own = in(template(node, source));
        Long common = own == null ? in(source.spec()) : own;
        return common == null ? DEFAULT_SECONDS : common;
    }

    private static @Nullable JsonNode template(Node node, WorkflowSource source) {
        if (node.inline() != null) {
            return node.inline();
        }
        if (node.templateRef() != null) {
            boolean cluster = Boolean.TRUE.equals(node.templateRef().clusterScope());
            return source.storedTemplates()
                    .get(
                            (cluster ? "cluster/" : "namespaced/")
                                    + node.templateRef().name()
                                    + "/"
                                    + node.templateRef().template());
        }
        if (node.templateName() == null) {
            return null;
        }
        if (!node.templateScope().startsWith("local/")) {
            return source.storedTemplates().get(node.templateScope() + "/" + node.templateName());
        }
        for (JsonNode template : source.spec().path("templates")) {
            if (template.path("name").asString("").equals(node.templateName())) {
                return template;
            }
        }
        return null;
    }

    private static @Nullable Long in(@Nullable JsonNode holder) {
        if (holder == null) {
            return null;
        }
        Matcher found = MEMBER.matcher(holder.path("podSpecPatch").asString(""));
        return found.find() ? Long.valueOf(found.group(1)) : null;
    }
}
