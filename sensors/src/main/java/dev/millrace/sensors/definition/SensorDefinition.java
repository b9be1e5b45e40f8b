package dev.millrace.sensors.definition;

import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.sensor.EventDependency;
import dev.millrace.schemas.sensor.SensorSpec;
import dev.millrace.schemas.sensor.Trigger;
import dev.millrace.sensors.filter.DependencyFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A sensor, compiled. One with problems of the whole has no triggers; one trigger's problem leaves
 * the others alone.
 *
 * @param version of the manifest
 * @param since version with which a sensor of this name began, after the last deletion of one; 0 if
 *     not known
 * @param dependencies their names, in order
 */
public record SensorDefinition(
        String namespace,
        String name,
        long version,
        long since,
        List<String> dependencies,
        List<TriggerDefinition> triggers,
        List<SensorProblem> problems) {

    public SensorDefinition {
        dependencies = List.copyOf(dependencies);
        triggers = List.copyOf(triggers);
        problems = List.copyOf(problems);
    }

    /** Whether nothing of it runs. */
    public boolean isRefused() {
        return problems.stream().anyMatch(SensorProblem::refusesSensor);
    }

    /** The first problem of a part, those of the whole sensor first. */
    public Optional<SensorProblem> problem(SensorProblem.Part part) {
        Optional<SensorProblem> whole =
                problems.stream().filter(p -> p.part() == part && p.refusesSensor()).findFirst();
        return whole.isPresent()
                ? whole
                : problems.stream().filter(p -> p.part() == part).findFirst();
    }

    /**
     * Compiles a manifest whose structure is sound.
     *
     * @throws tools.jackson.core.JacksonException if it is not
     */
    public static SensorDefinition compile(Manifest manifest, long version, long since) {
        SensorSpec spec = manifest.content(SensorSpec.class);
        List<SensorProblem> problems = new DependencyCheck(spec).problems();
        if (problems.isEmpty()) {
            problems = new TriggerCheck(spec).problems();
        }
        List<String> names = spec.dependencies().stream().map(EventDependency::name).toList();
        boolean refused = problems.stream().anyMatch(SensorProblem::refusesSensor);
        return new SensorDefinition(
                manifest.namespace(),
                String.valueOf(manifest.name()),
                version,
                since,
                names,
                refused ? List.of() : triggers(spec, manifest.tree(), names, problems),
                problems);
    }

    /**
     * What lint and the API say about a Sensor beside its structure.
     *
     * @param document one that is valid
     */
    public static List<Problem> check(ManifestDocument document) {
        return compile(document.manifest(), 0, 0).problems().stream()
                .map(problem -> problem.in(document.places()))
                .toList();
    }

    private static List<TriggerDefinition> triggers(
            SensorSpec spec, JsonNode tree, List<String> names, List<SensorProblem> problems) {
        Map<String, DependencyDefinition> dependencies = new LinkedHashMap<>();
        spec.dependencies().forEach(d -> dependencies.put(d.name(), dependency(d)));
        List<TriggerDefinition> triggers = new ArrayList<>();
        for (int i = 0; i < spec.triggers().size(); i++) {
            Trigger trigger = spec.triggers().get(i);
            JsonNode manifest = tree.path("spec").path("triggers").path(i);
            triggers.add(trigger(trigger, manifest, dependencies, names, problems));
        }
        return triggers;
    }

    private static TriggerDefinition trigger(
            Trigger trigger,
            JsonNode manifest,
            Map<String, DependencyDefinition> dependencies,
            List<String> names,
            List<SensorProblem> problems) {
        String name = trigger.template().name();
        return switch (Conditions.parse(trigger.template().conditions(), names)) {
            case Conditions.Refused(String message) ->
                    // The check has said so already; here it only must not fire.
                    new TriggerDefinition(name, List.of(), false, manifest, message);
            case Conditions.Parsed parsed -> {
                List<DependencyDefinition> waitsFor =
                        dependencies.values().stream()
                                .filter(d -> parsed.names().contains(d.name()))
                                .toList();
                boolean immediate = waitsFor.stream().allMatch(d -> parsed.holds(Set.of(d.name())));
                yield new TriggerDefinition(
                        name, waitsFor, immediate, manifest, broken(name, problems));
            }
        };
    }

    private static @Nullable String broken(String trigger, List<SensorProblem> problems) {
        return problems.stream()
                .filter(p -> p.effect().equals(new SensorProblem.Effect.StopsTrigger(trigger)))
                .map(SensorProblem::toString)
                .findFirst()
                .orElse(null);
    }

    private static DependencyDefinition dependency(EventDependency d) {
        return new DependencyDefinition(
                d.name(),
                d.eventSourceName(),
                d.eventName(),
                DependencyFilter.of(d.filters(), d.filtersLogicalOperator()),
                Unsupported.inDependency(d).map(Unsupported.Part::message).orElse(null));
    }
}
