package dev.millrace.sensors.binding;

import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.ReadResult;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.record.PostedEvent;
import dev.millrace.sensors.matching.ActivationId;
import dev.millrace.sensors.matching.Matching;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** All bindings that stand now, as they follow the manifests, and what they make of an event. */
public final class BindingRegistry implements ManifestLog.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(BindingRegistry.class);

    /** By {@code namespace/name}. */
    private final Map<String, BindingDefinition> bindings = new ConcurrentSkipListMap<>();

    /**
     * Asks every binding of the event's namespace.
     *
     * @param event any; only those that were posted to the API concern bindings
     * @param replay the run of a replay, null if live
     * @param now of the event's record
     */
    public Matching match(EventRef event, @Nullable String replay, Instant now) {
        if (!event.source().equals(PostedEvent.SOURCE)) {
            return Matching.NOTHING;
        }
        List<Activation> activations = new ArrayList<>();
        List<Decision> decisions = new ArrayList<>();
        Map<String, String> refused = new HashMap<>();
        Environment environment;
        try {
            environment = environment(event);
        } catch (GoJsonException e) {
            throw new IllegalArgumentException("the event's data is no JSON", e);
        }
        int asked = 0;
        for (BindingDefinition binding : bindings.values()) {
            if (!binding.namespace().equals(event.namespace())) {
                continue;
            }
            asked++;
            switch (binding.judge(environment)) {
                case BindingVerdict.Passes(String reason) ->
                        decisions.add(decision(binding, event, "filtered", reason, null, now));
                case BindingVerdict.Undecided(String message) ->
                        decisions.add(decision(binding, event, "failed", message, null, now));
                case BindingVerdict.Failed(String message) -> {
                    decisions.add(decision(binding, event, "failed", message, null, now));
                    refused.put(binding.name(), message);
                }
                case BindingVerdict.Submits(ObjectNode workflow) -> {
                    Activation activation = activation(binding, event, workflow, replay, now);
                    activations.add(activation);
                    decisions.add(decision(binding, event, "fired", null, activation.id(), now));
                }
            }
        }
        decisions.add(asked(event, asked, activations.size(), now));
        return new Matching(activations, List.of(), decisions, refused);
    }

    @Override
    public void changed(ManifestLog.Stored stored) {
        if (!stored.key().kind().equals(Kind.WORKFLOW_EVENT_BINDING.yamlName())) {
            return;
        }
        String key = key(stored.key());
        ReadResult read = ManifestReader.check(stored.key().toString(), stored.manifest());
        if (read.hasErrors() || read.documents().isEmpty()) {
            bindings.remove(key);
            LOG.warn("{} is not used: {}", stored.key(), read.errors());
            return;
        }
        try {
            bindings.put(
                    key,
                    BindingDefinition.compile(
                            read.documents().getFirst().manifest(), stored.version()));
        } catch (JacksonException e) {
            bindings.remove(key);
            LOG.warn("{} is not used: {}", stored.key(), e.getOriginalMessage());
        }
    }

    @Override
    public void deleted(ManifestKey key, long version) {
        if (key.kind().equals(Kind.WORKFLOW_EVENT_BINDING.yamlName())) {
            bindings.remove(key(key));
        }
    }

    private static String key(ManifestKey key) {
        return key.namespace() + "/" + key.name();
    }

    /** The data has {@code payload}, {@code metadata} and {@code discriminator}. */
    private static Environment environment(EventRef event) {
        Map<String, @Nullable Object> variables = new HashMap<>();
        if (GoJson.decode(event.data()) instanceof Map<?, ?> data) {
            data.forEach((name, value) -> variables.put(String.valueOf(name), value));
        }
        variables.put("namespace", event.namespace());
        return Environment.of(variables);
    }

    private static Activation activation(
            BindingDefinition binding,
            EventRef event,
            ObjectNode workflow,
            @Nullable String replay,
            Instant now) {
        Map<String, EventRef> events = Map.of(PostedEvent.SOURCE, event);
        ObjectNode trigger = Json.object();
        ObjectNode template = trigger.putObject("template").put("name", PostedEvent.TRIGGER);
        ObjectNode action = template.putObject("argoWorkflow").put("operation", "submit");
        action.putObject("source").set("resource", workflow);
        return new Activation(
                // A '/' stands in no name of a sensor.
                ActivationId.of(
                        binding.namespace(),
                        PostedEvent.KIND + "/" + binding.name(),
                        PostedEvent.TRIGGER,
                        events,
                        replay),
                binding.namespace(),
                binding.name(),
                PostedEvent.TRIGGER,
                binding.version(),
                events,
                trigger,
                now,
                replay,
                PostedEvent.KIND);
    }

    private static Decision decision(
            BindingDefinition binding,
            EventRef event,
            String outcome,
            @Nullable String reason,
            @Nullable String activationId,
            Instant now) {
        return new Decision(
                event.id(),
                binding.namespace(),
                binding.name(),
                null,
                PostedEvent.TRIGGER,
                outcome,
                reason,
                activationId,
                binding.version(),
                now,
                PostedEvent.KIND);
    }

    private static Decision asked(EventRef event, int asked, int fired, Instant now) {
        return new Decision(
                event.id(),
                event.namespace(),
                "",
                null,
                null,
                PostedEvent.ASKED,
                "%d bindings in namespace %s, %d of them fired"
                        .formatted(asked, event.namespace(), fired),
                null,
                0,
                now,
                PostedEvent.KIND);
    }
}
