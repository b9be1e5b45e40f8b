package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Names and ids of nodes, as the clients of the field compute them too. */
public final class NodeNames {
    private static final Pattern LEADING = Pattern.compile("^(\\[\\d+\\])?\\.");

    /**
     * A pod name's prefix is cut to this length, so that prefix, dash and hash fit into 253
     * characters.
     */
    private static final int MAX_PREFIX = 242;

    private NodeNames() {}

    /** {@code wf} itself, or {@code wf-<FNV-1a-32 of the full node name>}. */
    public static String id(String workflow, String nodeName) {
        return nodeName.equals(workflow) ? workflow : workflow + "-" + hash(nodeName);
    }

    /**
     * The pod name of a leaf (format v2).
     *
     * @param template name of the template, empty for an inline one
     */
    public static String podName(String workflow, String nodeName, String template) {
        if (nodeName.equals(workflow)) {
            return workflow;
        }
        String prefix = template.isEmpty() ? workflow : workflow + "-" + template;
        return prefix.substring(0, Math.min(prefix.length(), MAX_PREFIX)) + "-" + hash(nodeName);
    }

    /** The pod name of a node of the tree. */
    public static String podName(String workflow, Node node) {
        String template =
                node.templateRef() != null && node.templateRef().template() != null
                        ? node.templateRef().template()
                        : node.templateName() == null ? "" : node.templateName();
        return podName(workflow, node.name(), template);
    }

    /** The full name without the boundary's name, group index and dot at its front. */
    static String display(String nodeName, @Nullable String boundaryName) {
        if (boundaryName == null || !nodeName.startsWith(boundaryName)) {
            return nodeName;
        }
        return LEADING.matcher(nodeName.substring(boundaryName.length())).replaceFirst("");
    }

    /** The name of a loop's child: {@code step(index:value)}. */
    static String item(String call, int index, JsonNode item) {
        String value;
        if (item.isObject()) {
            Map<String, String> members = new TreeMap<>();
            item.properties().forEach(p -> members.put(p.getKey(), text(p.getValue())));
            value =
                    String.join(
                            ",",
                            members.entrySet().stream()
                                    .map(m -> m.getKey() + ":" + m.getValue())
                                    .toList());
        } else {
            value = text(item);
        }
        return call + "(" + index + ":" + value.replace("(", "").replace(")", "") + ")";
    }

    /** The text that a loop item stands for: strings as they are, everything else as JSON. */
    static String text(JsonNode item) {
        return item.isString() ? item.stringValue() : item.toString();
    }

    private static String hash(String name) {
        int hash = 0x811c9dc5;
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash ^= b & 0xff;
            hash *= 0x01000193;
        }
        return Integer.toUnsignedString(hash);
    }
}
