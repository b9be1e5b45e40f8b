package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.expressions.tag.Replacement;
import dev.millrace.expressions.tag.TagTemplate;
import dev.millrace.schemas.Json;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Arguments and outputs that say {@code from} or {@code fromExpression}: they get the place of the
 * artifact that they mean. No bytes move.
 */
final class ArtifactReferences {
    /** What belongs to the place where an artifact was declared and does not go with it. */
    private static final List<String> NOT_PASSED_ON =
            List.of(
                    "from",
                    "fromExpression",
                    "subPath",
                    "optional",
                    "deleted",
                    "archiveLogs",
                    "artifactGC");

    private static final Pattern ITEM = Pattern.compile("(?<![\\w.'\"])item\\b");

    private ArtifactReferences() {}

    /**
     * Takes the artifacts out of the arguments of a step, task or hook: what refers to an artifact
     * is no text to put a value into.
     */
    static List<JsonNode> take(ObjectNode member) {
        return member.get("arguments") instanceof ObjectNode arguments
                        && arguments.remove("artifacts") instanceof ArrayNode artifacts
                ? List.copyOf(artifacts.values())
                : List.of();
    }

    /**
     * Puts them back with the places of what they refer to. An optional one that is not there is
     * left out. What a loop says by item is left for its items.
     *
     * @throws CallException if one that is not optional is not there, or a tag cannot be replaced
     */
    static void put(ObjectNode member, List<JsonNode> artifacts, Variables variables, Mode mode) {
        if (artifacts.isEmpty()) {
            return;
        }
        boolean loop = Members.isLoop(member);
        ArrayNode bound = ((ObjectNode) member.get("arguments")).putArray("artifacts");
        for (JsonNode artifact : artifacts) {
            if (!refers(artifact)) {
                bound.add(Calls.replace(artifact, variables, mode));
            } else if (loop && byItem(artifact)) {
                bound.add(artifact);
            } else {
                ObjectNode found = find((ObjectNode) artifact, variables);
                if (found != null) {
                    bound.add(found);
                }
            }
        }
    }

    private static boolean byItem(JsonNode artifact) {
        return ITEM.matcher(artifact.path("from").asString("")).find()
                || ITEM.matcher(artifact.path("fromExpression").asString("")).find();
    }

    static boolean refers(JsonNode artifact) {
        return !artifact.path("from").asString("").isEmpty()
                || !artifact.path("fromExpression").asString("").isEmpty();
    }

    /**
     * The artifact that is meant, under the name of the one that refers to it.
     *
     * @return null if it is not there and optional
     * @throws CallException if it is not there
     */
    static @Nullable ObjectNode find(ObjectNode reference, Variables variables) {
        boolean optional = reference.path("optional").asBoolean(false);
        ObjectNode found;
        try {
            found = meant(reference, variables).deepCopy();
            found.remove(NOT_PASSED_ON);
            Locations.descend(found, replaced(reference.path("subPath").asString(""), variables));
        } catch (CallException e) {
            if (optional) {
                return null;
            }
            throw e;
        }
        found.set("name", reference.path("name"));
        if (optional) {
            found.put("optional", true);
        }
        return found;
    }

    private static ObjectNode meant(ObjectNode reference, Variables variables) {
        String expression = reference.path("fromExpression").asString("");
        if (!expression.isEmpty()) {
            return evaluate(expression, variables);
        }
        String from = reference.path("from").asString("").strip();
        String tag =
                from.startsWith("{{") && from.endsWith("}}")
                        ? from.substring(2, from.length() - 2).strip()
                        : from;
        if (tag.startsWith("=")) {
            return evaluate(tag.substring(1), variables);
        }
        String name = replaced(tag, variables);
        ObjectNode found = variables.artifact(name);
        if (found == null) {
            throw new CallException("failed to resolve {{" + name + "}}");
        }
        return found;
    }

    private static ObjectNode evaluate(String expression, Variables variables) {
        Object value = Results.evaluate(expression, variables);
        if (value instanceof Map<?, ?> && Json.tree(value) instanceof ObjectNode artifact) {
            return artifact;
        }
        throw new CallException(
                "expression '" + expression + "' does not give an artifact but " + value);
    }

    private static String replaced(String text, Variables variables) {
        return switch (TagTemplate.parse(text).replace(variables, Mode.LENIENT, false)) {
            case Replacement.Text(var replaced, _) -> replaced;
            case Replacement.NotYet(var tag) ->
                    throw new CallException("failed to resolve {{" + tag + "}}");
            case Replacement.Failed(var message) -> throw new CallException(message);
        };
    }

    /** An artifact as expressions see it. */
    @SuppressWarnings("unchecked") // An object of JSON is a map with text keys.
    static Map<String, @Nullable Object> value(JsonNode artifact) {
        return Json.mapper().convertValue(artifact, Map.class);
    }
}
