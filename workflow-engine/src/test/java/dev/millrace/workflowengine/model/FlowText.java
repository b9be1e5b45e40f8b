package dev.millrace.workflowengine.model;

import dev.millrace.schemas.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes a {@link Flow} as a manifest. */
final class FlowText {
    private final Map<String, Map<String, Object>> templates = new LinkedHashMap<>();

    private FlowText() {}

    static JsonNode tree(Flow flow) {
        return Json.mapper().valueToTree(new FlowText().manifest(flow));
    }

    static String yaml(Flow flow) {
        StringBuilder text = new StringBuilder();
        write(text, new FlowText().manifest(flow), "");
        return text.toString();
    }

    private Map<String, Object> manifest(Flow flow) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("entrypoint", named(flow.entry()));
        if (!flow.arguments().isEmpty()) {
            spec.put("arguments", arguments(flow.arguments()));
        }
        Map<String, Object> hooks = hooks(flow.hooks(), "workflow");
        if (!hooks.isEmpty()) {
            spec.put("hooks", hooks);
        }
        if (flow.parallelism() > 0) {
            spec.put("parallelism", flow.parallelism());
        }
        if (flow.deadline() > 0) {
            spec.put("activeDeadlineSeconds", flow.deadline());
        }
        if (flow.retry() != null) {
            spec.put("retryStrategy", retry(flow.retry()));
        }
        if (!flow.mutexes().isEmpty()) {
            spec.put("synchronization", Map.of("mutexes", mutexes(flow.mutexes())));
        }
        spec.put("templates", new ArrayList<Object>(templates.values()));
        Map<String, Object> manifest = new LinkedHashMap<>();
        manifest.put("apiVersion", "argoproj.io/v1alpha1");
        manifest.put("kind", "Workflow");
        manifest.put("metadata", Map.of("name", SlowTree.NAME));
        manifest.put("spec", spec);
        return manifest;
    }

    private String named(Flow.Template template) {
        if (!templates.containsKey(template.name())) {
            Map<String, Object> tree = new LinkedHashMap<>();
            templates.put(template.name(), tree);
            tree.put("name", template.name());
            tree.putAll(body(template));
        }
        return template.name();
    }

    private Map<String, Object> body(Flow.Template template) {
        Map<String, Object> tree = new LinkedHashMap<>();
        if (!template.inputs().isEmpty()) {
            List<Object> all = new ArrayList<>();
            for (Flow.Input in : template.inputs()) {
                Map<String, Object> p = new LinkedHashMap<>();
                p.put("name", in.name());
                if (in.byDefault() != null) {
                    p.put("default", in.byDefault());
                }
                all.add(p);
            }
            tree.put("inputs", Map.of("parameters", all));
        }
        if (!template.outputs().isEmpty()) {
            List<Object> all = new ArrayList<>();
            for (Flow.Output out : template.outputs()) {
                Map<String, Object> from = new LinkedHashMap<>();
                if (out.from() == null) {
                    from.put("path", "/tmp/" + out.name());
                } else {
                    from.put("parameter", out.from());
                }
                if (out.byDefault() != null) {
                    from.put("default", out.byDefault());
                }
                Map<String, Object> p = new LinkedHashMap<>();
                p.put("name", out.name());
                p.put("valueFrom", from);
                all.add(p);
            }
            tree.put("outputs", Map.of("parameters", all));
        }
        if (template.retry() != null) {
            tree.put("retryStrategy", retry(template.retry()));
        }
        if (template.parallelism() > 0) {
            tree.put("parallelism", template.parallelism());
        }
        if (template.failFast()) {
            tree.put("failFast", true);
        }
        if (template.locked()) {
            Map<String, Object> locks = new LinkedHashMap<>();
            if (!template.mutexes().isEmpty()) {
                locks.put("mutexes", mutexes(template.mutexes()));
            }
            if (template.semaphore() != null) {
                Map<String, Object> key = Map.of("name", "limits", "key", template.semaphore());
                locks.put("semaphores", List.of(Map.of("configMapKeyRef", key)));
            }
            tree.put("synchronization", locks);
        }
        if (template.seconds() > 0) {
            tree.put("timeout", template.seconds() + "s");
        }
        switch (template.body()) {
            case Flow.Leaf _ -> {
                Map<String, Object> container = new LinkedHashMap<>();
                container.put("image", "busybox");
                container.put("command", List.of("run"));
                tree.put("container", container);
            }
            case Flow.Pause(int seconds) ->
                    tree.put(
                            "suspend",
                            seconds == 0
                                    ? Map.of()
                                    : Map.of("duration", Integer.toString(seconds)));
            case Flow.Steps(var groups) -> {
                List<Object> all = new ArrayList<>();
                for (List<Flow.Member> group : groups) {
                    List<Object> members = new ArrayList<>();
                    group.forEach(m -> members.add(member(m, "steps")));
                    all.add(members);
                }
                tree.put("steps", all);
            }
            case Flow.Dag(var tasks, var target, var failFast) -> {
                Map<String, Object> dag = new LinkedHashMap<>();
                if (!target.isEmpty()) {
                    dag.put("target", String.join(" ", target));
                }
                if (failFast != null) {
                    dag.put("failFast", failFast);
                }
                List<Object> all = new ArrayList<>();
                tasks.forEach(m -> all.add(member(m, "tasks")));
                dag.put("tasks", all);
                tree.put("dag", dag);
            }
        }
        return tree;
    }

    private Map<String, Object> member(Flow.Member member, String kind) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", member.name());
        if (member.inline()) {
            tree.put("inline", body(member.template()));
        } else {
            tree.put("template", named(member.template()));
        }
        if (member.depends() != null) {
            tree.put("depends", text(member.depends()));
        }
        if (!member.dependencies().isEmpty()) {
            tree.put("dependencies", new ArrayList<Object>(member.dependencies()));
        }
        if (member.when() != null) {
            Flow.When when = member.when();
            tree.put("when", SlowScope.text(when));
        }
        switch (member.loop()) {
            case null -> {}
            case Flow.Items(var items) -> tree.put("withItems", new ArrayList<Object>(items));
            case Flow.Param(var list) -> tree.put("withParam", list);
            case Flow.Sequence(int count) ->
                    tree.put("withSequence", Map.of("count", Integer.toString(count)));
        }
        if (!member.arguments().isEmpty()) {
            tree.put("arguments", arguments(member.arguments()));
        }
        if (member.goOnFailed() || member.goOnError()) {
            Map<String, Object> goOn = new LinkedHashMap<>();
            if (member.goOnFailed()) {
                goOn.put("failed", true);
            }
            if (member.goOnError()) {
                goOn.put("error", true);
            }
            tree.put("continueOn", goOn);
        }
        Map<String, Object> hooks = hooks(member.hooks(), kind + "[\"" + member.name() + "\"]");
        if (!hooks.isEmpty()) {
            tree.put("hooks", hooks);
        }
        return tree;
    }

    private Map<String, Object> hooks(Map<String, Flow.Hook> hooks, String subject) {
        Map<String, Object> all = new LinkedHashMap<>();
        hooks.forEach(
                (name, hook) -> {
                    Map<String, Object> tree = new LinkedHashMap<>();
                    tree.put("template", named(hook.template()));
                    if (hook.arguments() != null) {
                        tree.put("arguments", arguments(hook.arguments()));
                    }
                    Flow.Status status = hook.status();
                    if (status != null) {
                        tree.put(
                                "expression",
                                subject
                                        + ".status "
                                        + (status.equal() ? "==" : "!=")
                                        + " \""
                                        + status.status()
                                        + "\"");
                    }
                    all.put(name, tree);
                });
        return all;
    }

    private static Map<String, Object> arguments(Map<String, String> arguments) {
        List<Object> all = new ArrayList<>();
        arguments.forEach(
                (name, value) -> {
                    Map<String, Object> p = new LinkedHashMap<>();
                    p.put("name", name);
                    p.put("value", value);
                    all.add(p);
                });
        return Map.of("parameters", all);
    }

    private static List<Object> mutexes(Iterable<String> names) {
        List<Object> all = new ArrayList<>();
        names.forEach(name -> all.add(Map.of("name", name)));
        return all;
    }

    private static Map<String, Object> retry(Flow.Retry retry) {
        Map<String, Object> tree = new LinkedHashMap<>();
        if (retry.limit() != null) {
            tree.put("limit", retry.limit());
        }
        if (retry.policy() != null) {
            tree.put("retryPolicy", retry.policy());
        }
        if (retry.again() != null) {
            tree.put("expression", retry.again().text);
        }
        if (retry.base() > 0) {
            Map<String, Object> backoff = new LinkedHashMap<>();
            backoff.put("duration", retry.base() + "s");
            if (retry.factor() > 0) {
                backoff.put("factor", retry.factor());
            }
            if (retry.cap() > 0) {
                backoff.put("cap", retry.cap() + "s");
            }
            if (retry.most() > 0) {
                backoff.put("maxDuration", retry.most() + "s");
            }
            tree.put("backoff", backoff);
        }
        return tree;
    }

    private static String text(Flow.Needs needs) {
        return switch (needs) {
            case Flow.Needs.Task(var name, var result) ->
                    result == null ? name : name + "." + result;
            case Flow.Needs.Not(var of) -> "!(" + text(of) + ")";
            case Flow.Needs.Both(var and, var left, var right) ->
                    "(" + text(left) + (and ? " && " : " || ") + text(right) + ")";
        };
    }

    /** Block style, every text in quotes. */
    private static void write(StringBuilder text, @Nullable Object value, String indent) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            map.forEach(
                    (key, member) -> {
                        text.append(indent).append(key).append(':');
                        below(text, member, indent + "  ");
                    });
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            for (Object member : list) {
                StringBuilder nested = new StringBuilder();
                write(nested, member, indent + "  ");
                text.append(indent).append("- ").append(nested.substring(indent.length() + 2));
            }
        } else {
            text.append(indent).append(scalar(value)).append('\n');
        }
    }

    private static void below(StringBuilder text, @Nullable Object value, String indent) {
        boolean nested =
                value instanceof Map<?, ?> map && !map.isEmpty()
                        || value instanceof List<?> list && !list.isEmpty();
        if (nested) {
            text.append('\n');
            write(text, value, indent);
        } else {
            text.append(' ').append(scalar(value)).append('\n');
        }
    }

    private static String scalar(@Nullable Object value) {
        return switch (value) {
            case String s -> "'" + s.replace("'", "''") + "'";
            case Map<?, ?> _ -> "{}";
            case List<?> _ -> "[]";
            case null -> "null";
            default -> value.toString();
        };
    }
}
