package dev.millrace.sensors.definition;

import dev.millrace.schemas.sensor.ConditionsReset;
import dev.millrace.schemas.sensor.EventDependency;
import dev.millrace.schemas.sensor.RateLimit;
import dev.millrace.schemas.sensor.SensorSpec;
import dev.millrace.schemas.sensor.Trigger;
import dev.millrace.schemas.sensor.TriggerAction;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.sensors.definition.SensorProblem.Effect;
import dev.millrace.sensors.definition.SensorProblem.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules for {@code spec.triggers}. What the reference refuses is refused as a whole; what it
 * would only notice while running (a condition that does not parse) stops the one trigger.
 */
final class TriggerCheck {

    private static final Set<String> UNITS = Set.of("", "Second", "Minute", "Hour");

    private final SensorSpec spec;
    private final List<String> names;
    private final Map<String, Unsupported.Part> unsupported = new HashMap<>();
    private final List<SensorProblem> problems = new ArrayList<>();

    TriggerCheck(SensorSpec spec) {
        this.spec = spec;
        this.names = spec.dependencies().stream().map(EventDependency::name).toList();
    }

    List<SensorProblem> problems() {
        DocumentPath all = DocumentPath.ROOT.key("spec").key("triggers");
        if (spec.triggers().isEmpty()) {
            refuse(all, "no triggers found", "say what to do when the events are there");
        }
        for (EventDependency d : spec.dependencies()) {
            Unsupported.inDependency(d).ifPresent(part -> unsupported.put(d.name(), part));
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < spec.triggers().size(); i++) {
            Trigger trigger = spec.triggers().get(i);
            DocumentPath path = all.index(i);
            if (trigger.template() == null) {
                refuse(path, "trigger template can't be nil", "add template:");
                continue;
            }
            String name = trigger.template().name();
            if (name != null && !seen.add(name)) {
                refuse(
                        path.key("template").key("name"),
                        "duplicate trigger name: " + name,
                        "give each its own name");
            }
            trigger(trigger, path, String.valueOf(name));
            if (name != null && !name.isEmpty()) {
                condition(trigger, path, name);
            }
        }
        return problems;
    }

    /** Rules that also hold for a {@code dlqTrigger}; {@code owner} is the outermost trigger. */
    private void trigger(Trigger trigger, DocumentPath path, String owner) {
        DocumentPath template = path.key("template");
        if (trigger.template() == null) {
            refuse(path, "trigger template can't be nil", "add template:");
            return;
        }
        if (isEmpty(trigger.template().name())) {
            refuse(template.key("name"), "trigger must define a name", "");
        }
        resets(trigger.template().conditionsReset(), template.key("conditionsReset"));
        Optional<TriggerAction> action = trigger.template().action();
        if (action.isEmpty()) {
            refuse(
                    template,
                    "template " + trigger.template().name() + " is invalid, it has no action",
                    "add one of k8s, argoWorkflow, http, log");
        } else {
            new ActionCheck(trigger.template().name(), owner, problems)
                    .action(action.get(), template.key(action.get().type()));
        }
        ParameterCheck parameters = new ParameterCheck(owner, problems);
        parameters.list(
                trigger.parameters(),
                path.key("parameters"),
                "template %s is invalid, template parameter".formatted(trigger.template().name()));
        rateLimit(trigger.rateLimit(), path.key("rateLimit"));
        BackoffCheck.problem(trigger.retryStrategy(), path.key("retryStrategy"), owner)
                .ifPresent(problems::add);
        if (trigger.policy() != null && trigger.policy().k8s() != null) {
            BackoffCheck.problem(
                            trigger.policy().k8s().backoff(),
                            path.key("policy").key("k8s").key("backoff"),
                            owner)
                    .ifPresent(problems::add);
        }
        if (trigger.dlqTrigger() != null) {
            dlq(trigger, trigger.dlqTrigger(), path, owner);
        }
    }

    private void dlq(Trigger trigger, Trigger dlq, DocumentPath path, String owner) {
        if (!Boolean.TRUE.equals(trigger.atLeastOnce())) {
            refuse(
                    path.key("atLeastOnce"),
                    "to use dlqTrigger, trigger.atLeastOnce must be set to true",
                    "");
        }
        if (!Boolean.TRUE.equals(dlq.atLeastOnce())) {
            refuse(
                    path.key("dlqTrigger").key("atLeastOnce"),
                    "atLeastOnce must be set to true within the dlqTrigger",
                    "");
        }
        trigger(dlq, path.key("dlqTrigger"), owner);
    }

    private void condition(Trigger trigger, DocumentPath path, String name) {
        DocumentPath place = path.key("template").key("conditions");
        switch (Conditions.parse(trigger.template().conditions(), names)) {
            case Conditions.Refused(String message) ->
                    problems.add(
                            new SensorProblem(
                                    Part.TRIGGERS,
                                    place,
                                    "failed to get dependency expression: " + message,
                                    "names of dependencies, joined by && and ||",
                                    new Effect.StopsTrigger(name)));
            case Conditions.Parsed parsed ->
                    names.stream()
                            .filter(parsed.names()::contains)
                            .filter(unsupported::containsKey)
                            .findFirst()
                            .ifPresent(d -> unsupported(d, name));
        }
    }

    private void unsupported(String dependency, String trigger) {
        Unsupported.Part part = unsupported.getOrDefault(dependency, Unsupported.NONE);
        DocumentPath path =
                DocumentPath.ROOT.key("spec").key("dependencies").index(names.indexOf(dependency));
        for (DocumentPath.Segment segment : part.path().segments()) {
            path =
                    switch (segment) {
                        case DocumentPath.Key(String key) -> path.key(key);
                        case DocumentPath.Index(int index) -> path.index(index);
                    };
        }
        problems.add(
                new SensorProblem(
                        Part.DEPENDENCIES,
                        path,
                        part.message(),
                        "leave it out, or use exprs and data filters",
                        new Effect.StopsTrigger(trigger)));
    }

    private void resets(List<ConditionsReset> resets, DocumentPath path) {
        for (int i = 0; i < resets.size(); i++) {
            DocumentPath place = path.index(i).key("byTime");
            switch (ResetSchedule.of(resets.get(i))) {
                case ResetSchedule.Parsed _ -> {}
                case ResetSchedule.Invalid(String message) -> refuse(place, message, "");
            }
        }
    }

    private void rateLimit(@Nullable RateLimit limit, DocumentPath path) {
        if (limit == null) {
            return;
        }
        if (limit.requestsPerUnit() == null || limit.requestsPerUnit() < 1) {
            refuse(
                    path.key("requestsPerUnit"),
                    "requestsPerUnit must be at least 1",
                    "leave rateLimit out to have no limit");
        }
        if (!UNITS.contains(limit.unit() == null ? "" : limit.unit())) {
            refuse(
                    path.key("unit"),
                    "unit " + limit.unit() + " not supported",
                    "Second, Minute or Hour");
        }
    }

    private void refuse(DocumentPath path, String message, String hint) {
        problems.add(SensorProblem.trigger(path, message, hint));
    }

    private static boolean isEmpty(@Nullable String text) {
        return text == null || text.isEmpty();
    }
}
