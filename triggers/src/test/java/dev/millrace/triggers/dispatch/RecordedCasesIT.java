package dev.millrace.triggers.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.ConfigMaps;
import dev.millrace.log.Secrets;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.ReadResult;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.sensors.definition.SensorDefinition;
import dev.millrace.sensors.definition.SensorProblem;
import dev.millrace.sensors.matching.SensorStatus;
import dev.millrace.testkit.Conformance;
import dev.millrace.triggers.action.ActionRunner;
import dev.millrace.triggers.action.DispatchOutcome;
import dev.millrace.triggers.action.HttpExecutor;
import dev.millrace.triggers.action.LogExecutor;
import dev.millrace.triggers.action.WorkflowExecutor;
import dev.millrace.triggers.action.WorkflowSubmitter;
import dev.millrace.triggers.testing.HttpSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Everything that was recorded of real sensors, against ours: the same requests must arrive. */
class RecordedCasesIT {

    private static final String OR =
            "with 'or', a filter that fails does not spoil one that passes";
    private static final String QUOTED = "numbers of a backoff may be quoted";

    /** Where we do what the field advises or expects, not what was recorded. */
    private static final Map<String, String> DIFFERENT =
            Map.ofEntries(
                    Map.entry("op-or-de-ct", OR),
                    Map.entry("op-or-ee-dt", OR),
                    Map.entry("op-or-et-de", OR),
                    Map.entry("two-factor-text", QUOTED),
                    Map.entry("two-jitter-text", QUOTED),
                    Map.entry(
                            "absent-payload",
                            "a payload item of an absent event is skipped; the real one crashes"));

    private final TreeMap<String, List<String>> table = new TreeMap<>();

    @Test
    void triggersSendWhatWasRecorded() throws Exception {
        Path recorded = Conformance.assumePresent().resolve("events/recorded");
        List<String> failures = new ArrayList<>();
        Set<String> differing = new HashSet<>();
        JsonNode fixtures = fixtures(recorded);
        try (HttpSink sink = new HttpSink();
                HttpExecutor http = new HttpExecutor(secrets(fixtures), configMaps(fixtures))) {
            for (RecordedCase one : RecordedCase.all(recorded)) {
                if (one.isValidation()) {
                    continue;
                }
                if (one.sensor().equals("rec-es")) {
                    note("left out: a case of event sources, not of sensors", one);
                    continue;
                }
                SensorDefinition sensor = compile(one, sink.url());
                Optional<String> unsupported = unsupported(sensor, one.trigger());
                if (unsupported.isPresent()) {
                    note("left out: " + unsupported.get(), one);
                    continue;
                }
                sink.clear();
                RecordedRun run = new RecordedRun(one, sensor, runner(http));
                run.run();
                List<String> got = RecordedCase.words(sink.requests(), sink.url());
                boolean same = same(one, got, run);
                if (DIFFERENT.containsKey(one.name()) && !same) {
                    differing.add(one.name());
                    note("different: " + DIFFERENT.get(one.name()), one);
                } else if (same) {
                    note("the same", one);
                } else {
                    note("WRONG", one);
                    failures.add(
                            "%s (%s)%n  expected %s%n  but got  %s"
                                    .formatted(
                                            one.name(),
                                            one.json().path("shows").asString(""),
                                            one.received(),
                                            got));
                }
            }
        }
        print();
        assertThat(failures).isEmpty();
        assertThat(differing).as("differences that are named").isEqualTo(DIFFERENT.keySet());
    }

    private static boolean same(RecordedCase one, List<String> got, RecordedRun run) {
        List<String> normal = got.stream().map(RecordedCasesIT::withoutTimes).toList();
        if (!normal.equals(one.received().stream().map(RecordedCasesIT::withoutTimes).toList())) {
            return false;
        }
        return !one.name().startsWith("rate-") || spaced(one, run.spacing());
    }

    /** Machines differ in what they need for a request; the slots of a limit are much longer. */
    private static boolean spaced(RecordedCase one, List<Double> ours) {
        double first = one.json().path("received").path(0).path("after_s").asDouble();
        for (int i = 0; i < ours.size(); i++) {
            double theirs = one.json().path("received").path(i).path("after_s").asDouble() - first;
            if (Math.abs(theirs - ours.get(i)) > 0.4) {
                return false;
            }
        }
        return true;
    }

    private static String withoutTimes(String text) {
        return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", "\\$TIME");
    }

    /** What of the trigger is not supported yet, by the sensor's own status. */
    private static Optional<String> unsupported(SensorDefinition sensor, String trigger) {
        return sensor.problems().stream()
                .filter(p -> p.concerns(trigger))
                .map(SensorProblem::message)
                .filter(message -> message.endsWith("not supported yet"))
                .findFirst();
    }

    @Test
    void manifestsAreRefusedWhereTheyWereRefused() throws Exception {
        Path recorded = Conformance.assumePresent().resolve("events/recorded");
        Map<String, String> stricter =
                Map.of(
                        "depunknown", "a condition is checked when the manifest is read",
                        "rate0", "a limit of 0 is refused; the real one crashes for ever",
                        "number-value", "the one sensor is refused; the real one stops all");
        Set<String> ownWords = Set.of("time-bad", "time-short");
        List<String> failures = new ArrayList<>();
        for (RecordedCase one : RecordedCase.all(recorded)) {
            if (!one.isValidation()) {
                continue;
            }
            String text = Files.readString(one.folder().resolve("sensor.yaml"));
            ReadResult read = ManifestReader.read("sensor.yaml", text);
            List<StatusRecord.Condition> conditions =
                    read.hasErrors()
                            ? List.of(
                                    new StatusRecord.Condition(
                                            "Deployed",
                                            "False",
                                            "InvalidSpec",
                                            read.errors().getFirst().toString()))
                            : SensorStatus.of(
                                            SensorDefinition.compile(
                                                    read.manifests().getFirst(), 1, 0),
                                            Instant.EPOCH)
                                    .conditions();
            List<String> differences = new ArrayList<>();
            for (JsonNode expected : one.json().path("status")) {
                if (!fulfilled(expected, conditions, ownWords.contains(one.name()))) {
                    differences.add(expected.toString());
                }
            }
            boolean refused = conditions.stream().anyMatch(c -> c.status().equals("False"));
            if (stricter.containsKey(one.name())) {
                note("stricter: " + stricter.get(one.name()), one);
                if (!refused) {
                    failures.add(one.name() + " should be refused: " + conditions);
                }
            } else if (differences.isEmpty()) {
                note(refused ? "refused in the same words" : "accepted", one);
            } else {
                note("WRONG", one);
                failures.add(one.name() + " lacks " + differences + ", it has " + conditions);
            }
        }
        print();
        assertThat(failures).isEmpty();
    }

    private static boolean fulfilled(
            JsonNode expected, List<StatusRecord.Condition> conditions, boolean ownWords) {
        String message = expected.path("message").asString("");
        return conditions.stream()
                .anyMatch(
                        c ->
                                c.type().equals(expected.path("type").asString())
                                        && c.status().equals(expected.path("status").asString())
                                        && (expected.path("reason").isMissingNode()
                                                || expected.path("reason")
                                                        .asString()
                                                        .equals(c.reason()))
                                        && (message.isEmpty()
                                                || ownWords
                                                || String.valueOf(c.message())
                                                        .startsWith(message)));
    }

    private void note(String what, RecordedCase one) {
        table.computeIfAbsent(what, _ -> new ArrayList<>()).add(one.name());
    }

    private void print() {
        table.forEach(
                (what, cases) ->
                        System.out.printf(
                                "%4d  %s%s%n",
                                cases.size(),
                                what,
                                what.startsWith("the same") ? "" : " " + cases));
    }

    private static SensorDefinition compile(RecordedCase one, String sink) throws IOException {
        String text =
                Files.readString(one.folder().resolve("sensor.yaml"))
                        .replace("http://sink.test", sink)
                        .replace("http://refused.test", "http://127.0.0.1:1");
        ReadResult read = ManifestReader.read(one.sensor(), text);
        assertThat(read.errors()).isEmpty();
        return SensorDefinition.compile(read.manifests().getFirst(), 7, 0);
    }

    private static ActionRunner runner(HttpExecutor http) {
        WorkflowExecutor workflows =
                new WorkflowExecutor(new NoWorkflows(), (_, _) -> Optional.empty());
        return new ActionRunner(http, workflows, workflows.k8s(), new LogExecutor());
    }

    private static JsonNode fixtures(Path recorded) throws IOException {
        var all = dev.millrace.schemas.Json.mapper().createArrayNode();
        YamlReader.read("fixtures", Files.readString(recorded.resolve("fixtures.yaml")))
                .documents()
                .forEach(d -> all.add(d.tree()));
        return all;
    }

    private static Secrets secrets(JsonNode fixtures) {
        return (_, name, key) -> value(fixtures, "Secret", name, "stringData", key);
    }

    private static ConfigMaps configMaps(JsonNode fixtures) {
        return (_, name) -> {
            Map<String, String> data = new HashMap<>();
            value(fixtures, "ConfigMap", name, "data", "k").ifPresent(v -> data.put("k", v));
            return data.isEmpty() ? Optional.empty() : Optional.of(data);
        };
    }

    private static Optional<String> value(
            JsonNode fixtures, String kind, String name, String member, String key) {
        for (JsonNode object : fixtures) {
            if (object.path("kind").asString().equals(kind)
                    && object.path("metadata").path("name").asString().equals(name)) {
                JsonNode value = object.path(member).path(key);
                return value.isString() ? Optional.of(value.asString()) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static final class NoWorkflows implements WorkflowSubmitter {
        @Override
        public Optional<Map<String, String>> labels(String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public DispatchOutcome submit(Submission submission) {
            throw new AssertionError("no case starts a workflow");
        }

        @Override
        public DispatchOutcome act(Operation operation) {
            throw new AssertionError("no case acts on a workflow");
        }
    }
}
