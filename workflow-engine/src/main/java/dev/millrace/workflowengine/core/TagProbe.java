package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Tag;
import dev.millrace.expressions.tag.TagTemplate;
import dev.millrace.schemas.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Tells of a whole template at once whether its tags can be replaced in a call. What is not known
 * yet stays as it is, so only a tag without an end is in the way: one that is written so, or one
 * that a value makes. So it is enough to try each tag once, however many steps or tasks have it.
 */
final class TagProbe {
    /** What only a step or task that has run could say. */
    private static final Pattern LATER =
            Pattern.compile("\\b(?:(?:steps|tasks)\\s*\\??[.\\[](?!\\s*['\"]?name\\b)|item\\b)");

    private final Set<String> tags = new LinkedHashSet<>();
    private boolean plain = true;
    private boolean brace;
    private @Nullable ArrayNode probe;

    /** Takes the tags of a step or task. */
    void add(JsonNode member) {
        String text = member.toString();
        brace |= text.contains("{{{");
        List<Tag> found = TagTemplate.parse(text).tags();
        // A tag without an end leaves no tags at all.
        plain &= !found.isEmpty() && !nested(text);
        for (Tag tag : found) {
            switch (tag) {
                case Tag.Simple(var name) -> note(name, "{{" + name + "}}");
                // Its source is a part of the JSON, in which quotes are escaped.
                case Tag.Expression(var source) -> {
                    String plainSource = Json.mapper().readValue('"' + source + '"', String.class);
                    note(plainSource, "{{=" + plainSource + "}}");
                }
            }
        }
    }

    private static boolean nested(String text) {
        for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", open + 2)) {
            int inner = text.indexOf("{{", open + 2);
            if (inner >= 0 && inner < text.indexOf("}}", open + 2)) {
                return true;
            }
        }
        return false;
    }

    private void note(String what, String tag) {
        if (!LATER.matcher(what).find()) {
            tags.add(tag);
        }
    }

    /** Whether it is sure that nothing is in the way of any step or task. */
    synchronized boolean passes(UnaryOperator<JsonNode> filling) {
        if (!plain) {
            return false;
        }
        if (probe == null) {
            probe = Json.mapper().createArrayNode();
            tags.forEach(probe::add);
        }
        try {
            JsonNode filled = filling.apply(probe);
            for (int i = 0; i < probe.size(); i++) {
                String before = probe.get(i).asString("");
                String after = filled.path(i).asString("");
                boolean same = before.equals(after);
                if (!same
                        && (after.contains("{{")
                                || after.endsWith("{")
                                || (brace && after.startsWith("{")))) {
                    return false;
                }
            }
            return filled.size() == probe.size();
        } catch (CallException e) {
            return false; // Which step or task it is, says each of them.
        }
    }
}
