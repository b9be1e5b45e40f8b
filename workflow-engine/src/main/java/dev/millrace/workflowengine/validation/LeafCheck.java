package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.yaml.Fault;
import dev.millrace.schemas.yaml.YamlReader;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Checks templates that do something themselves. */
final class LeafCheck {
    private static final List<String> ACTIONS =
            List.of("get", "create", "apply", "delete", "replace", "patch");
    private static final Set<String> RESERVED = Set.of("wait", "init", "supervisor");

    private final Findings findings;

    LeafCheck(Findings findings) {
        this.findings = findings;
    }

    void check(PlacedTemplate template, TemplateType type) {
        switch (type) {
            case CONTAINER, SCRIPT -> container(template, type.member());
            case CONTAINER_SET -> containerSet(template);
            case RESOURCE -> resource(template);
            case SUSPEND -> suspend(template);
            case HTTP -> new HttpCheck(findings).check(template);
            case DATA -> new DataCheck(findings).check(template);
            case PLUGIN -> plugin(template);
            case STEPS, DAG -> {}
        }
        besides(template);
    }

    private void container(PlacedTemplate template, String member) {
        JsonNode container = template.body().path(member);
        Where where = template.where().key(member);
        String label = template.label() + "." + member;
        if (container.path("image").asString("").isEmpty()) {
            findings.error(where, label + ".image may not be empty");
        }
        String name = container.path("name").asString("");
        if (!name.isEmpty()) {
            reserved(name, where.key("name"), label);
        }
        mounts(template, container, where, label);
    }

    /** Two things cannot be mounted at one path. */
    private void mounts(PlacedTemplate template, JsonNode container, Where where, String label) {
        Map<String, String> paths = new HashMap<>();
        JsonNode mounts = container.path("volumeMounts");
        for (int i = 0; i < mounts.size(); i++) {
            String path = mounts.get(i).path("mountPath").asString("");
            String name = "volume mount " + mounts.get(i).path("name").asString("");
            String other = path.contains("{{") ? null : paths.putIfAbsent(path, name);
            if (other != null) {
                findings.error(
                        where.key("volumeMounts").index(i),
                        label + " '" + path + "' already mounted by " + other);
            }
        }
        JsonNode artifacts = template.inputs("artifacts");
        for (int i = 0; i < artifacts.size(); i++) {
            String path = artifacts.get(i).path("path").asString("");
            String other = paths.get(path);
            if (other != null) {
                findings.error(
                        template.where().key("inputs").key("artifacts").index(i).key("path"),
                        template.label()
                                + ".inputs.artifacts."
                                + artifacts.get(i).path("name").asString("")
                                + " '"
                                + path
                                + "' already mounted by "
                                + other);
            }
        }
    }

    private void containerSet(PlacedTemplate template) {
        Where where = template.where().key("containerSet");
        String label = template.label() + ".containerSet";
        JsonNode containers = template.body().path("containerSet").path("containers");
        if (containers.isEmpty()) {
            findings.error(where, label + ".containers must have at least one container");
            return;
        }
        Map<String, Set<String>> dependencies = new LinkedHashMap<>();
        for (int i = 0; i < containers.size(); i++) {
            JsonNode container = containers.get(i);
            Where at = where.key("containers").index(i);
            String name = container.path("name").asString("");
            if (name.isEmpty()) {
                findings.error(at, label + ".containers[" + i + "].name is required");
            } else if (dependencies.containsKey(name)) {
                findings.error(
                        at.key("name"),
                        label + ".containers[" + i + "].name '" + name + "' is not unique");
            }
            reserved(name, at.key("name"), label + ".containers." + name);
            if (container.path("image").asString("").isEmpty()) {
                findings.error(at, label + ".containers." + name + ".image may not be empty");
            }
            Set<String> before = new LinkedHashSet<>();
            container.path("dependencies").forEach(d -> before.add(d.asString("")));
            dependencies.putIfAbsent(name, before);
        }
        unknownContainers(dependencies, where, label);
        List<String> cycle = TaskOrder.of(dependencies).cycle();
        if (!cycle.isEmpty()) {
            findings.error(
                    where.key("containers"),
                    label + ".containers dependency cycle detected: " + String.join("->", cycle));
        }
        boolean needsMain =
                !template.inputs("artifacts").isEmpty()
                        || !template.outputs("parameters").isEmpty()
                        || !template.outputs("artifacts").isEmpty();
        if (needsMain && !dependencies.containsKey("main")) {
            findings.error(
                    where.key("containers"),
                    label + ".containers must have a container named \"main\" for input or output",
                    "name the container that has the files \"main\"");
        }
        if (template.isDaemon()) {
            findings.error(
                    template.where().key("daemon"),
                    template.label() + ".daemon is not valid for containerSet templates");
        }
    }

    private void unknownContainers(
            Map<String, Set<String>> dependencies, Where where, String label) {
        dependencies.forEach(
                (name, before) ->
                        before.removeIf(
                                other -> {
                                    boolean unknown = !dependencies.containsKey(other);
                                    if (unknown) {
                                        findings.error(
                                                where.key("containers"),
                                                label
                                                        + ".containers."
                                                        + name
                                                        + " dependency '"
                                                        + other
                                                        + "' not defined");
                                    }
                                    return unknown;
                                }));
    }

    private void resource(PlacedTemplate template) {
        JsonNode resource = template.body().path("resource");
        Where where = template.where().key("resource");
        String label = template.label() + ".resource";
        String action = resource.path("action").asString("");
        if (!ACTIONS.contains(action) && !action.contains("{{")) {
            findings.error(
                    where.key("action"),
                    label + ".action '" + action + "' is not valid",
                    "choose one of " + String.join(", ", ACTIONS));
        }
        String manifest = resource.path("manifest").asString("");
        boolean from = resource.hasNonNull("manifestFrom");
        if (!manifest.isEmpty() && from) {
            findings.error(
                    where.key("manifestFrom"),
                    label + " only one of manifest or manifestFrom can be defined");
        }
        boolean named =
                (action.equals("get") || action.equals("delete"))
                        && !resource.path("flags").isEmpty();
        if (manifest.isEmpty() && !from && !named) {
            findings.error(where, label + " either a resource manifest or flags must be specified");
        }
        if (!manifest.contains("{{")) {
            for (Fault fault : YamlReader.read(label + ".manifest", manifest).faults()) {
                findings.error(
                        where.key("manifest"),
                        label + ".manifest must be a valid yaml: " + fault.message());
            }
        }
    }

    private void plugin(PlacedTemplate template) {
        JsonNode plugin = template.body().path("plugin");
        if (plugin.size() != 1) {
            findings.error(
                    template.where().key("plugin"),
                    template.label()
                            + ".plugin must have exactly one key, but has "
                            + plugin.size(),
                    "the key is the name of the plugin, and what stands under it is the plugin's own");
        }
    }

    private void suspend(PlacedTemplate template) {
        Durations.check(
                template.body().path("suspend").path("duration"),
                template.where().key("suspend").key("duration"),
                template.label() + ".suspend.duration",
                Durations.Form.SECONDS_OR_DAYS,
                findings);
    }

    /** Containers beside the main one. */
    private void besides(PlacedTemplate template) {
        Set<String> names = new HashSet<>();
        template.body()
                .path("containerSet")
                .path("containers")
                .forEach(c -> names.add(c.path("name").asString("")));
        if (names.isEmpty()) {
            names.add("main");
        }
        for (String list : List.of("initContainers", "sidecars")) {
            JsonNode containers = template.body().path(list);
            for (int i = 0; i < containers.size(); i++) {
                String name = containers.get(i).path("name").asString("");
                Where where = template.where().key(list).index(i);
                if (name.isEmpty()) {
                    findings.error(
                            where, template.label() + "." + list + "[" + i + "] must have a name");
                } else if (!names.add(name)) {
                    findings.error(
                            where.key("name"),
                            template.label()
                                    + "."
                                    + list
                                    + "["
                                    + i
                                    + "] name '"
                                    + name
                                    + "' is not unique",
                            "every container of a pod needs a name of its own");
                }
                reserved(name, where.key("name"), template.label() + "." + list + "[" + i + "]");
            }
        }
    }

    private void reserved(String name, Where where, String label) {
        if (RESERVED.contains(name) || name.startsWith("artifact-plugin-")) {
            findings.error(
                    where, label + " name '" + name + "' is reserved", "give it another name");
        }
    }
}
