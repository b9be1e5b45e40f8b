package dev.millrace.workflowengine.cron;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.CronInput;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.yaml.YamlReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One CronWorkflow in virtual time: it is woken when it asked for it, as its shell does. */
final class CronScenario {
    static final Instant START = Instant.parse("2026-01-05T12:00:30Z");

    private final CronMachine machine = new CronMachine();
    final List<CronEvent> events = new ArrayList<>();
    @Nullable CronState state;
    Instant now;
    private long version;

    CronScenario(String spec) {
        this(spec, START);
    }

    CronScenario(String spec, Instant start) {
        now = start;
        define(spec);
    }

    static JsonNode manifest(String spec) {
        ObjectNode manifest = Json.object();
        manifest.put("apiVersion", "argoproj.io/v1alpha1").put("kind", "CronWorkflow");
        manifest.putObject("metadata")
                .put("name", "c")
                .put("namespace", "ns")
                .put("uid", "u")
                .set("labels", Json.object().put("team", "red"));
        ObjectNode tree = (ObjectNode) YamlReader.read("test", spec).documents().getFirst().tree();
        if (!tree.has("workflowSpec")) {
            tree.putObject("workflowSpec").put("entrypoint", "main");
        }
        manifest.set("spec", tree);
        return manifest;
    }

    CronScenario define(String spec) {
        return fact(new CronInput.Defined(manifest(spec), ++version));
    }

    CronScenario remove() {
        return fact(new CronInput.Removed(++version));
    }

    CronScenario fact(CronInput input) {
        step(new CronMachine.Input.Fact(input));
        return this;
    }

    /** The engine took the workflow of a scheduled time. */
    CronScenario started(String workflow) {
        return fact(new CronInput.WorkflowSubmitted(workflow, "uid-" + workflow, true));
    }

    CronScenario finished(String workflow, WorkflowPhase phase) {
        return fact(new CronInput.WorkflowFinished(workflow, "uid-" + workflow, phase, now));
    }

    /** Time goes by, and every workflow that is ordered starts. */
    CronScenario pass(Duration time) {
        Instant end = now.plus(time);
        while (true) {
            Instant next = next();
            if (next == null || next.isAfter(end)) {
                break;
            }
            now = next.isAfter(now) ? next : now;
            tick();
        }
        now = end;
        return this;
    }

    /** Time goes by and nobody runs; then it is woken. */
    CronScenario down(Duration time) {
        now = now.plus(time);
        Instant next = next();
        if (next != null && !next.isAfter(now)) {
            tick();
        }
        return this;
    }

    private void tick() {
        int before = events.size();
        step(new CronMachine.Input.Tick());
        for (CronEvent event : List.copyOf(events.subList(before, events.size()))) {
            if (event instanceof CronEvent.RunOrdered run) {
                started(run.workflow());
            }
        }
    }

    @Nullable Instant next() {
        Map<String, Instant> due = state == null ? Map.of() : state.due();
        return due.values().stream().min(Instant::compareTo).orElse(null);
    }

    private void step(CronMachine.Input input) {
        List<CronEvent> decided = machine.decide(state, input, now);
        for (CronEvent event : decided) {
            state = machine.evolve(state, event);
        }
        events.addAll(decided);
    }

    CronState state() {
        if (state == null) {
            throw new AssertionError("nothing is known of it");
        }
        return state;
    }

    /** Scheduled times that were run. */
    List<String> runs() {
        return of(CronEvent.RunOrdered.class).stream()
                .map(r -> r.scheduledTime().toString())
                .toList();
    }

    /** Names of the workflows that were ordered. */
    List<String> workflows() {
        return of(CronEvent.RunOrdered.class).stream().map(CronEvent.RunOrdered::workflow).toList();
    }

    List<String> skipped() {
        return of(CronEvent.RunSkipped.class).stream()
                .map(s -> s.scheduledTime() + " " + s.reason())
                .toList();
    }

    List<String> deleted() {
        return of(CronEvent.DeletionOrdered.class).stream().map(d -> d.run().workflow()).toList();
    }

    <T extends CronEvent> List<T> of(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
