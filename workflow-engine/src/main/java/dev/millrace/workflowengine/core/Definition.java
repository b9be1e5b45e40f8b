package dev.millrace.workflowengine.core;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Template;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A template taken apart: its steps or tasks by themselves, each of which is looked at when its
 * turn comes, and the rest. What it takes to call a template, or to go on inside of it, then does
 * not depend on how many steps or tasks it has.
 */
final class Definition {
    private static final String TAG = "{{";

    /** A result in JSON: {@code tasks.a}, {@code tasks['a']} or {@code tasks["a"]}. */
    private static final Pattern RESULT =
            Pattern.compile(
                    "(steps|tasks)(?:\\.([-\\w]+)|\\['([-\\w]+)']|\\[\\\\\"([-\\w]+)\\\\\"])\\.outputs\\.result");

    private final ObjectNode rest;
    private final List<JsonNode> groups = new ArrayList<>();
    private final List<JsonNode> tasks = new ArrayList<>();
    private final Map<String, JsonNode> members = new HashMap<>();
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final Set<String> tagged = new HashSet<>();
    private final TagProbe probe = new TagProbe();
    private final Set<String> results = new HashSet<>();
    private final Map<String, TaskOrder> orders = new HashMap<>();
    private final boolean variable;
    private final boolean shaped;
    private @Nullable Template template;

    /**
     * @param template its tree; not kept, and not to be changed afterwards
     */
    Definition(JsonNode template) {
        rest = ((ObjectNode) template).objectNode();
        template.properties().forEach(p -> rest.set(p.getKey(), without(p.getKey(), p.getValue())));
        // They have variables and a time of their own.
        rest.remove("metrics");
        boolean named = true;
        for (int i = 0; i < groups.size(); i++) {
            for (JsonNode step : groups.get(i)) {
                named &= member(step);
                places.put(step.path("name").asString(""), i);
            }
        }
        for (JsonNode task : tasks) {
            named &= member(task);
            named &= !task.path("depends").asString("").contains(TAG);
            named &= !task.path("dependencies").toString().contains(TAG);
        }
        shaped = named;
        String text = rest.toString();
        variable = rest.has("inputs") || text.contains(TAG);
        results(text);
    }

    private JsonNode without(String key, JsonNode value) {
        if (key.equals("steps") && value instanceof ArrayNode all) {
            all.forEach(groups::add);
            return all.arrayNode();
        }
        if (key.equals("dag") && value.path("tasks") instanceof ArrayNode all) {
            all.forEach(tasks::add);
            ObjectNode dag = ((ObjectNode) value).objectNode();
            dag.setAll((ObjectNode) value);
            dag.set("tasks", all.arrayNode());
            return dag.deepCopy();
        }
        return value.deepCopy();
    }

    /** Notes a step or task; false if its name is not known before its tags are replaced. */
    private boolean member(JsonNode member) {
        String name = member.path("name").asString("");
        members.putIfAbsent(name, member);
        String text = member.toString();
        if (text.contains(TAG)) {
            tagged.add(name);
            probe.add(member);
        }
        results(text);
        return !name.contains(TAG);
    }

    /** Notes of whom a text wants the result. */
    private void results(String json) {
        Matcher matcher = RESULT.matcher(json);
        while (matcher.find()) {
            String name =
                    matcher.group(2) != null
                            ? matcher.group(2)
                            : matcher.group(3) != null ? matcher.group(3) : matcher.group(4);
            results.add(matcher.group(1) + "." + name);
        }
    }

    /** The steps or tasks whose results some text wants, as {@code steps.<name>}. */
    Set<String> results() {
        return results;
    }

    /** The template without its steps or tasks; not to be changed. */
    ObjectNode rest() {
        return rest;
    }

    /** The rest as a record, if it is the same in every call; it is made when it is asked for. */
    synchronized Template template() {
        if (template == null) {
            template = Json.convert(rest, Template.class);
        }
        return template;
    }

    /** Whether the rest differs between calls: it has inputs, or tags in it. */
    boolean variable() {
        return variable;
    }

    /**
     * Whether names and dependencies stand in it as they are. Where they have tags, only the
     * template with its tags replaced says which steps or tasks there are.
     */
    boolean shaped() {
        return shaped;
    }

    /** Groups of steps, as they are written. */
    List<JsonNode> groups() {
        return groups;
    }

    /** The step or task of this name, as it is written, or null. */
    @Nullable JsonNode member(@Nullable String name) {
        return members.get(name);
    }

    /** Whether there are tags in a step or task. */
    boolean tagged(JsonNode member) {
        return tagged.contains(member.path("name").asString(""));
    }

    /** Whether there are tags in some step or task. */
    boolean tagged() {
        return !tagged.isEmpty();
    }

    /** Tells of all steps and tasks at once whether their tags can be replaced. */
    TagProbe probe() {
        return probe;
    }

    /** The steps by name, each with the index of its group. */
    Map<String, Integer> places() {
        return places;
    }

    /** All steps or tasks, as they are written. */
    Iterable<JsonNode> members() {
        return members.values();
    }

    /**
     * How the tasks depend on each other.
     *
     * @param target the names of the tasks that are wanted, with blanks between them; empty for all
     * @throws CallException if a condition cannot be read or names an unknown task
     */
    synchronized TaskOrder order(String target) {
        TaskOrder known = orders.get(target);
        if (known == null) {
            known = TaskOrder.of(tasks, target);
            // A target may be an input, so that there are as many of them as calls.
            orders.clear();
            orders.put(target, known);
        }
        return known;
    }
}
