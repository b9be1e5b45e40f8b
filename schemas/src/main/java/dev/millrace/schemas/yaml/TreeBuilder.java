package dev.millrace.schemas.yaml;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Composed nodes to a JSON tree and its places: resolves scalars, expands aliases and merge keys,
 * refuses duplicate keys, and counts what it makes.
 */
final class TreeBuilder {

    private static final String MERGE = "<<";

    private final JsonNodeFactory nodes = JsonNodeFactory.instance;
    private final String source;
    private final YamlLimits limits;
    private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private Map<String, Place> places = new HashMap<>();
    private List<Fault> faults = new ArrayList<>();
    private int made;
    private int depth;

    TreeBuilder(String source, YamlLimits limits) {
        this.source = source;
        this.limits = limits;
    }

    Document build(Node root) {
        places = new HashMap<>();
        faults = new ArrayList<>();
        open.clear();
        depth = 0;
        JsonNode tree = value(root, DocumentPath.ROOT);
        return new Document(tree, new Places(place(root), places), faults);
    }

    private JsonNode value(Node node, DocumentPath path) {
        count(node, path);
        if (node instanceof ScalarNode scalar) {
            return scalar(scalar, path);
        }
        enter(node, path);
        JsonNode value =
                node instanceof SequenceNode list
                        ? list(list, path)
                        : object((MappingNode) node, path);
        leave(node);
        return value;
    }

    private void count(Node node, DocumentPath path) {
        if (++made > limits.nodes()) {
            throw fault(
                    node,
                    path,
                    "the text expands to more than " + limits.nodes() + " values",
                    "use fewer aliases or split the file");
        }
    }

    private void enter(Node node, DocumentPath path) {
        if (!open.add(node)) {
            throw fault(
                    node, path, "an alias refers to a value that contains it", "remove the alias");
        }
        // Aliases can nest deeper than the text does.
        if (++depth > limits.depth()) {
            throw fault(
                    node,
                    path,
                    "nested deeper than " + limits.depth() + " levels",
                    "flatten the document");
        }
    }

    private void leave(Node node) {
        depth--;
        open.remove(node);
    }

    private ArrayNode list(SequenceNode node, DocumentPath path) {
        ArrayNode list = nodes.arrayNode();
        for (Node item : node.getValue()) {
            DocumentPath itemPath = path.index(list.size());
            places.put(itemPath.pointer(), place(item));
            list.add(value(item, itemPath));
        }
        return list;
    }

    private ObjectNode object(MappingNode node, DocumentPath path) {
        ObjectNode object = nodes.objectNode();
        Map<String, Node> seen = new HashMap<>();
        for (NodeTuple member : node.getValue()) {
            if (isMerge(member.getKeyNode())) {
                continue;
            }
            String key = key(member.getKeyNode(), path);
            Node first = seen.putIfAbsent(key, member.getKeyNode());
            if (first != null) {
                faults.add(duplicate(key, first, member.getKeyNode(), path.key(key)));
            }
            member(object, key, member, path);
        }
        merges(object, node, path);
        return object;
    }

    private void member(ObjectNode object, String key, NodeTuple member, DocumentPath path) {
        DocumentPath memberPath = path.key(key);
        places.put(memberPath.pointer(), place(member.getKeyNode()));
        object.set(key, value(member.getValueNode(), memberPath));
    }

    private Fault duplicate(String key, Node first, Node again, DocumentPath path) {
        return new Fault(
                place(again),
                path,
                "the key '"
                        + key
                        + "' stands twice, first in line "
                        + place(first).line()
                        + " and again in line "
                        + place(again).line(),
                "remove one of the two");
    }

    private void merges(ObjectNode object, MappingNode node, DocumentPath path) {
        for (NodeTuple member : node.getValue()) {
            if (isMerge(member.getKeyNode())) {
                merge(object, member.getValueNode(), path);
            }
        }
    }

    /**
     * Members of the object itself win over merged ones, and of several merged objects the first
     * wins.
     */
    private void merge(ObjectNode object, Node from, DocumentPath path) {
        List<Node> sources = from instanceof SequenceNode list ? list.getValue() : List.of(from);
        for (Node source : sources) {
            if (!(source instanceof MappingNode mapping)) {
                throw fault(source, path, "'<<' takes an object or a list of objects", "");
            }
            enter(mapping, path);
            for (NodeTuple member : mapping.getValue()) {
                count(member.getKeyNode(), path);
                if (!isMerge(member.getKeyNode())) {
                    String key = key(member.getKeyNode(), path);
                    if (!object.has(key)) {
                        member(object, key, member, path);
                    }
                }
            }
            merges(object, mapping, path);
            leave(mapping);
        }
    }

    private static boolean isMerge(Node key) {
        return key instanceof ScalarNode scalar
                && MERGE.equals(scalar.getValue())
                && (scalar.getTag().equals(BoundedComposer.UNRESOLVED)
                        || scalar.getTag().equals(Tag.MERGE));
    }

    /**
     * Keys of JSON are text: {@code on:} is "true", {@code 0x10:} is "16", as Go's conversion has
     * it.
     */
    private String key(Node node, DocumentPath path) {
        if (!(node instanceof ScalarNode scalar)) {
            throw fault(node, path, "a key must be a text, not a list or an object", "");
        }
        if (!scalar.getTag().equals(BoundedComposer.UNRESOLVED)) {
            return scalar.getValue();
        }
        JsonNode value = PlainScalar.value(scalar.getValue());
        if (value == null) {
            return scalar.getValue();
        }
        if (value.isNull()) {
            throw fault(
                    node,
                    path,
                    "a key must be a text, not null",
                    "write \"null\" or \"\" if that is meant");
        }
        return value.isNumber() && !value.isIntegralNumber()
                ? GoNumber.general(value.doubleValue())
                : value.asString();
    }

    private JsonNode scalar(ScalarNode node, DocumentPath path) {
        Tag tag = node.getTag();
        String text = node.getValue();
        if (tag.equals(BoundedComposer.UNRESOLVED)) {
            JsonNode value = PlainScalar.value(text);
            if (value == null) {
                throw fault(
                        node,
                        path,
                        "'" + text + "' cannot be written as JSON",
                        "quote it if a text is meant");
            }
            return value;
        }
        if (tag.equals(Tag.BINARY)) {
            try {
                byte[] bytes = Base64.getDecoder().decode(text.replaceAll("\\s", ""));
                return nodes.stringNode(new String(bytes, StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                throw fault(node, path, "!!binary is not base64: " + e.getMessage(), "");
            }
        }
        JsonNode value = typed(tag, text);
        if (value == null) {
            throw fault(
                    node,
                    path,
                    "'" + text + "' is no " + tag.getValue().replace(Tag.PREFIX, "!!"),
                    "");
        }
        return value;
    }

    /**
     * The value under an explicit tag; unknown tags mean text. Null if the text does not fit the
     * tag.
     */
    private @Nullable JsonNode typed(Tag tag, String text) {
        JsonNode value = PlainScalar.value(text);
        if (tag.equals(Tag.INT)) {
            return value != null && value.isIntegralNumber() ? value : null;
        }
        if (tag.equals(Tag.FLOAT)) {
            return value != null && value.isNumber() ? PlainScalar.node(value.doubleValue()) : null;
        }
        if (tag.equals(Tag.BOOL)) {
            return value != null && value.isBoolean() ? value : null;
        }
        if (tag.equals(Tag.NULL)) {
            return value != null && value.isNull() ? value : null;
        }
        return nodes.stringNode(text);
    }

    private Place place(Node node) {
        Mark mark = node.getStartMark().orElse(null);
        return mark == null
                ? new Place(source, 1, 1)
                : new Place(source, mark.getLine() + 1, mark.getColumn() + 1);
    }

    private FaultException fault(Node node, DocumentPath path, String message, String hint) {
        return new FaultException(new Fault(place(node), path, message, hint));
    }
}
