package dev.millrace.workflowengine.core;

import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.expressions.govaluate.WhenCondition;
import dev.millrace.expressions.tag.Lookup;
import dev.millrace.expressions.tag.Mode;
import dev.millrace.expressions.tag.Replacement;
import dev.millrace.expressions.tag.Tag;
import dev.millrace.expressions.tag.TagTemplate;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Arguments;
import dev.millrace.schemas.workflow.Scalar;
import dev.millrace.schemas.workflow.Sequence;
import dev.millrace.schemas.workflow.TemplateRef;
import java.math.BigInteger;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What steps and tasks have in common: {@code when}, arguments, loops. */
final class Members {
    /** Each item is a node, and most of them a step that an executor holds. */
    static final int MOST_ITEMS = 100_000;

    private static final Arguments NO_ARGUMENTS = new Arguments(List.of(), List.of());

    private Members() {}

    /** What a {@code when} condition said. */
    sealed interface Verdict {
        record Go() implements Verdict {}

        /** The condition is false; the message is the node's. */
        record Skip(String message) implements Verdict {}
    }

    /** Whether the step or task is a loop. */
    static boolean isLoop(JsonNode member) {
        return member.hasNonNull("withItems")
                || member.hasNonNull("withParam")
                || member.hasNonNull("withSequence");
    }

    /**
     * Decides a {@code when} condition.
     *
     * @throws CallException if the condition is no condition, or a tag in it cannot be replaced
     */
    static Verdict when(JsonNode member, Variables variables) {
        String text = member.path("when").asString("");
        if (text.isEmpty()) {
            return new Verdict.Go();
        }
        TagTemplate tags = TagTemplate.parse(text);
        String replaced =
                switch (tags.replace(variables, Mode.LENIENT, false)) {
                    case Replacement.Text(var t, _) -> t;
                    case Replacement.NotYet(var tag) ->
                            throw new CallException("failed to resolve {{" + tag + "}}");
                    case Replacement.Failed(var message) -> throw new CallException(message);
                };
        return switch (WhenCondition.evaluate(replaced)) {
            case WhenCondition.Outcome.True _ -> new Verdict.Go();
            case WhenCondition.Outcome.False _ ->
                    new Verdict.Skip("when '" + replaced + "' evaluated false");
            case WhenCondition.Outcome.Invalid(var message) -> throw new CallException(message);
        };
    }

    /**
     * The step or task with its tags replaced. Hooks are left as they are: they may refer to what
     * the member itself gives.
     *
     * @throws CallException if a tag cannot be replaced
     */
    static ObjectNode resolve(JsonNode member, Variables variables, Mode mode) {
        ObjectNode copy = (ObjectNode) member.deepCopy();
        JsonNode hooks = copy.remove("hooks");
        dropAbsent(copy, variables);
        List<JsonNode> artifacts = ArtifactReferences.take(copy);
        ObjectNode resolved = (ObjectNode) Calls.replace(copy, variables, mode);
        ArtifactReferences.put(resolved, artifacts, variables, mode);
        if (hooks != null) {
            resolved.set("hooks", hooks);
        }
        return resolved;
    }

    /**
     * As {@link #resolve}, but for the condition: in a loop it is decided for each item.
     *
     * @throws CallException if a tag cannot be replaced
     */
    static ObjectNode resolveAllButWhen(JsonNode member, Variables variables) {
        JsonNode items = member.path("withItems");
        // A list without tags may be long: it is left as it is.
        boolean plain = items.isArray() && !items.toString().contains("{{");
        ObjectNode rest = withoutWhen(member);
        if (plain) {
            rest.putArray("withItems");
        }
        ObjectNode resolved = resolve(rest, variables, Mode.LENIENT);
        if (plain) {
            resolved.set("withItems", items);
        }
        if (member.has("when")) {
            resolved.set("when", member.get("when"));
        }
        return resolved;
    }

    static ObjectNode withoutWhen(JsonNode member) {
        return without(member, List.of("when"));
    }

    private static ObjectNode without(JsonNode member, List<String> names) {
        ObjectNode copy = ((ObjectNode) member).objectNode();
        copy.setAll((ObjectNode) member);
        copy.remove(names);
        return copy;
    }

    /**
     * An argument that is exactly one reference to an absent optional output counts as not
     * supplied.
     */
    private static void dropAbsent(ObjectNode member, Variables variables) {
        if (!(member.path("arguments").path("parameters") instanceof ArrayNode parameters)) {
            return;
        }
        for (int i = parameters.size() - 1; i >= 0; i--) {
            String value = parameters.get(i).path("value").asString("").strip();
            if (value.startsWith("{{") && value.endsWith("}}")) {
                List<Tag> tags = TagTemplate.parse(value).tags();
                if (tags.size() == 1
                        && tags.getFirst() instanceof Tag.Simple(var name)
                        && value.equals("{{" + value.substring(2, value.length() - 2) + "}}")
                        && variables.lookup(name) instanceof Lookup.Absent) {
                    ((ObjectNode) parameters.get(i)).remove("value");
                }
            }
        }
    }

    /** The template that a step, task or hook calls. */
    static TemplateUse use(JsonNode member) {
        if (member.hasNonNull("inline")) {
            return new TemplateUse.Inline(member.get("inline"));
        }
        if (member.hasNonNull("templateRef")) {
            return new TemplateUse.Ref(Json.convert(member.get("templateRef"), TemplateRef.class));
        }
        return new TemplateUse.Named(member.path("template").asString(""));
    }

    /** The arguments of a step, task or hook. */
    static Arguments arguments(JsonNode member) {
        JsonNode tree = member.path("arguments");
        return tree.isObject() ? Json.convert(tree, Arguments.class) : NO_ARGUMENTS;
    }

    /**
     * The items of a loop.
     *
     * @throws CallException if they are no list, or too many
     */
    static List<JsonNode> items(JsonNode member) {
        List<JsonNode> items = written(member);
        if (items.size() > MOST_ITEMS) {
            throw tooMany(Integer.toString(items.size()));
        }
        return items;
    }

    private static CallException tooMany(String count) {
        return new CallException(
                "the loop has %s items, but at most %d are possible: divide them among several workflows"
                        .formatted(count, MOST_ITEMS));
    }

    private static List<JsonNode> written(JsonNode member) {
        JsonNode withItems = member.path("withItems");
        if (withItems.isArray()) {
            List<JsonNode> items = new ArrayList<>();
            withItems.forEach(items::add);
            return items;
        }
        if (member.hasNonNull("withParam")) {
            String text = Scalar.of(member.get("withParam")).text();
            try {
                JsonNode tree = Json.mapper().readTree(text);
                if (tree.isArray()) {
                    List<JsonNode> items = new ArrayList<>();
                    tree.forEach(items::add);
                    return items;
                }
            } catch (JacksonException e) {
                throw notAList(text, e.getOriginalMessage());
            }
            throw notAList(text, "it is another kind of value");
        }
        return sequence(Json.convert(member.get("withSequence"), Sequence.class));
    }

    private static CallException notAList(String text, String why) {
        String shown = text.length() > 200 ? text.substring(0, 200) + "…" : text;
        return new CallException(
                "withParam value could not be parsed as a JSON list: " + shown + ": " + why);
    }

    private static List<JsonNode> sequence(Sequence sequence) {
        BigInteger start = BigInteger.valueOf(number("start", sequence.start(), 0));
        boolean counted = sequence.count() != null;
        BigInteger last = BigInteger.valueOf(number("end", sequence.end(), 0));
        BigInteger count =
                counted
                        ? BigInteger.valueOf(number("count", sequence.count(), 0))
                        : last.subtract(start).abs().add(BigInteger.ONE);
        if (count.compareTo(BigInteger.valueOf(MOST_ITEMS)) > 0) {
            throw tooMany(count.toString());
        }
        int step = counted || start.compareTo(last) <= 0 ? 1 : -1;
        String format = sequence.format();
        int size = Math.max(0, count.intValue());
        // Each portion of a long loop asks for its own items only.
        return new AbstractList<>() {
            @Override
            public JsonNode get(int index) {
                Objects.checkIndex(index, size);
                return item(format, start.add(BigInteger.valueOf((long) index * step)));
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    private static long number(String member, @Nullable Scalar value, long absent) {
        if (value == null) {
            return absent;
        }
        try {
            return Long.parseLong(value.text().strip());
        } catch (NumberFormatException e) {
            throw new CallException(
                    "withSequence." + member + " is not a whole number: '" + value.text() + "'");
        }
    }

    private static JsonNode item(@Nullable String format, BigInteger value) {
        String text =
                format == null || format.isEmpty()
                        ? value.toString()
                        : String.format(Locale.ROOT, format.replace("%v", "%d"), value);
        return Json.mapper().getNodeFactory().stringNode(text);
    }

    /** The variables {@code item} and {@code item.<key>}. */
    static Variables.Layer itemLayer(JsonNode item) {
        if (!item.isObject()) {
            return new Variables.Flat(Map.of("item", NodeNames.text(item)));
        }
        Map<String, String> flat = new LinkedHashMap<>();
        item.properties()
                .forEach(p -> flat.put("item." + p.getKey(), NodeNames.text(p.getValue())));
        Variables.Flat members = new Variables.Flat(flat);
        String whole = item.toString();
        return new Variables.Layer() {
            @Override
            public Lookup lookup(String name) {
                return name.equals("item") ? new Lookup.Value(whole) : members.lookup(name);
            }

            @Override
            public @Nullable Map<String, @Nullable Object> root(String root) {
                return members.root(root);
            }
        };
    }

    /** A loop's member for one item: everything in it must resolve. */
    static ObjectNode forItem(JsonNode member, Variables variables, JsonNode item) {
        ObjectNode one = without(member, List.of("withItems", "withParam", "withSequence"));
        return resolve(one, variables.with(itemLayer(item)), Mode.STRICT);
    }

    /** A duration text where a plain number means seconds; null if absent. */
    static @Nullable Duration duration(@Nullable Scalar text) {
        if (text == null || text.text().isEmpty()) {
            return null;
        }
        try {
            return GoDuration.parseOrSecondsOrDays(text.text());
        } catch (DurationSyntaxException e) {
            throw new CallException(String.valueOf(e.getMessage()));
        }
    }
}
