package dev.millrace.triggers.action;

import dev.millrace.log.ConfigMaps;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.sensor.ArtifactLocation;
import dev.millrace.schemas.sensor.TriggerParameter;
import dev.millrace.schemas.workflow.ConfigMapKeySelector;
import dev.millrace.schemas.yaml.Documents;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.triggers.parameter.Parameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** The object that a trigger creates or names, with its parameters filled in. */
final class ResourceSource {

    private final ConfigMaps configMaps;

    ResourceSource(ConfigMaps configMaps) {
        this.configMaps = configMaps;
    }

    /** An object, or why there is none. */
    sealed interface Fetched {
        record Done(ObjectNode object) implements Fetched {}

        record Failed(String message) implements Fetched {}

        record Unsupported(String message) implements Fetched {}
    }

    Fetched fetch(
            Attempt attempt, @Nullable ArtifactLocation source, List<TriggerParameter> parameters) {
        if (source == null) {
            return new Fetched.Unsupported("the trigger has no source");
        }
        if (source.resource() != null) {
            return filled(attempt, source.resource().toString(), parameters);
        }
        if (source.inline() != null) {
            return text(attempt, "inline", source.inline(), parameters);
        }
        if (source.configmap() != null) {
            ConfigMapKeySelector selector = source.configmap();
            String namespace = attempt.activation().namespace();
            Optional<String> text =
                    configMaps.value(
                            namespace,
                            String.valueOf(selector.name()),
                            String.valueOf(selector.key()));
            return text.isPresent()
                    ? text(attempt, "ConfigMap " + selector.name(), text.get(), parameters)
                    : new Fetched.Failed(
                            "there is no key "
                                    + selector.key()
                                    + " in ConfigMap "
                                    + selector.name()
                                    + " of namespace "
                                    + namespace);
        }
        if (source.file() != null && source.file().path() != null) {
            Path path = Path.of(source.file().path());
            try {
                return text(attempt, path.toString(), Files.readString(path), parameters);
            } catch (IOException e) {
                return new Fetched.Failed("file " + path + " cannot be read: " + e.getMessage());
            }
        }
        return new Fetched.Unsupported(
                "sources url, s3 and git are not supported yet; use resource, inline, configmap or"
                        + " file");
    }

    private static Fetched text(
            Attempt attempt, String name, String text, List<TriggerParameter> parameters) {
        Documents documents = YamlReader.read(name, text);
        if (!documents.faults().isEmpty() || documents.documents().size() != 1) {
            return new Fetched.Failed(
                    name
                            + " must hold one object as YAML or JSON: "
                            + (documents.faults().isEmpty()
                                    ? documents.documents().size() + " found"
                                    : documents.faults().getFirst().message()));
        }
        return filled(attempt, documents.documents().getFirst().tree().toString(), parameters);
    }

    private static Fetched filled(Attempt attempt, String json, List<TriggerParameter> parameters) {
        return switch (attempt.parameters().apply(json, parameters)) {
            case Parameters.Applied.Failed(String message) -> new Fetched.Failed(message);
            case Parameters.Applied.Unsupported(String message) -> new Fetched.Unsupported(message);
            case Parameters.Applied.Done(String filled) -> object(filled);
        };
    }

    private static Fetched object(String json) {
        try {
            return Json.mapper().readTree(json) instanceof ObjectNode object
                    ? new Fetched.Done(object)
                    : new Fetched.Failed("the source is no object");
        } catch (JacksonException e) {
            return new Fetched.Failed(
                    "the source is no JSON after its parameters: " + e.getOriginalMessage());
        }
    }
}
