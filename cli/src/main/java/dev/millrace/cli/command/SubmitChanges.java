package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.yaml.Documents;
import dev.millrace.schemas.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the command line changes of a workflow before it starts. */
final class SubmitChanges {

    @Option(
            names = {"-p", "--parameter"},
            paramLabel = "NAME=VALUE",
            description = "The value of a parameter; may be given several times.")
    List<String> parameters = new ArrayList<>();

    @Option(
            names = {"-f", "--parameter-file"},
            paramLabel = "FILE",
            description =
                    "Values of parameters from a YAML or JSON file of names and values; -p goes before it.")
    String parameterFile = "";

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The workflow's name instead of its own.")
    String name = "";

    @Option(
            names = "--generate-name",
            paramLabel = "PREFIX",
            description = "The start of a generated name.")
    String generateName = "";

    @Option(
            names = "--entrypoint",
            paramLabel = "TEMPLATE",
            description = "The template to start with.")
    String entrypoint = "";

    @Option(
            names = {"-l", "--labels"},
            paramLabel = "NAME=VALUE,…",
            description = "Labels to add.")
    String labels = "";

    @Option(
            names = "--serviceaccount",
            paramLabel = "NAME",
            description = "The service account that the workflow names; steps here need none.")
    String serviceAccount = "";

    @Option(
            names = "--priority",
            paramLabel = "N",
            description = "The number that the workflow gets as its priority.")
    @Nullable Integer priority;

    /** The workflow with the changes; the given one stays as it is. */
    ObjectNode applied(JsonNode workflow, Surroundings surroundings) {
        ObjectNode changed = workflow.deepCopy().asObject();
        ObjectNode metadata = changed.withObject("/metadata");
        if (!name.isEmpty()) {
            metadata.put("name", name);
        }
        if (!generateName.isEmpty()) {
            metadata.put("generateName", generateName);
            if (name.isEmpty()) {
                metadata.remove("name");
            }
        }
        if (!entrypoint.isEmpty()) {
            changed.withObject("/spec").put("entrypoint", entrypoint);
        }
        if (!serviceAccount.isEmpty()) {
            changed.withObject("/spec").put("serviceAccountName", serviceAccount);
        }
        if (priority != null) {
            changed.withObject("/spec").put("priority", priority);
        }
        pairs(labels, "--labels")
                .forEach((key, value) -> metadata.withObject("/labels").put(key, value));
        values(surroundings).forEach((key, value) -> setParameter(changed, key, value));
        return changed;
    }

    /** The same as options for the server, for a workflow that is made of a template there. */
    ObjectNode options(Surroundings surroundings) {
        ObjectNode options = Json.object();
        put(options, "name", name);
        put(options, "generateName", generateName);
        put(options, "entryPoint", entrypoint);
        put(options, "serviceAccount", serviceAccount);
        if (priority != null) {
            options.put("priority", priority);
        }
        put(options, "labels", labels);
        pairs(labels, "--labels");
        ArrayNode list = options.putArray("parameters");
        values(surroundings).forEach((key, value) -> list.add(key + "=" + value));
        return options;
    }

    private Map<String, String> values(Surroundings surroundings) {
        Map<String, String> values = new LinkedHashMap<>();
        if (!parameterFile.isEmpty()) {
            values.putAll(valuesOfFile(surroundings));
        }
        for (String parameter : parameters) {
            int equals = parameter.indexOf('=');
            if (equals < 1) {
                throw CommandException.usage("-p %s: write it as NAME=VALUE".formatted(parameter));
            }
            values.put(parameter.substring(0, equals), parameter.substring(equals + 1));
        }
        return values;
    }

    private Map<String, String> valuesOfFile(Surroundings surroundings) {
        String text;
        try {
            text = Files.readString(surroundings.folder().resolve(parameterFile));
        } catch (IOException e) {
            throw CommandException.refused(
                    "--parameter-file %s cannot be read: %s"
                            .formatted(parameterFile, e.getMessage()));
        }
        Documents documents = YamlReader.read(parameterFile, text);
        if (!documents.faults().isEmpty()) {
            throw CommandException.refused(
                    documents.faults().getFirst().place()
                            + ": "
                            + documents.faults().getFirst().message());
        }
        if (documents.documents().size() != 1
                || !(documents.documents().getFirst().tree() instanceof ObjectNode object)) {
            throw CommandException.refused(
                    "--parameter-file %s: names and values are expected, one 'name: value' a line"
                            .formatted(parameterFile));
        }
        Map<String, String> values = new LinkedHashMap<>();
        object.properties()
                .forEach(
                        entry ->
                                values.put(
                                        entry.getKey(),
                                        entry.getValue().isString()
                                                ? entry.getValue().stringValue()
                                                : entry.getValue().toString()));
        return values;
    }

    private static void setParameter(ObjectNode workflow, String name, String value) {
        ObjectNode arguments = workflow.withObject("/spec").withObject("/arguments");
        ArrayNode list =
                arguments.path("parameters") instanceof ArrayNode given
                        ? given
                        : arguments.putArray("parameters");
        for (JsonNode parameter : list) {
            if (parameter instanceof ObjectNode object
                    && object.path("name").asString("").equals(name)) {
                object.remove("valueFrom");
                object.put("value", value);
                return;
            }
        }
        list.addObject().put("name", name).put("value", value);
    }

    /** {@code a=b,c=d}. */
    static Map<String, String> pairs(String text, String option) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            if (part.isBlank()) {
                continue;
            }
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw CommandException.usage(
                        "%s %s: write it as NAME=VALUE,NAME=VALUE".formatted(option, text));
            }
            pairs.put(part.substring(0, equals).strip(), part.substring(equals + 1).strip());
        }
        return pairs;
    }

    private static void put(ObjectNode object, String name, String value) {
        if (!value.isEmpty()) {
            object.put(name, value);
        }
    }
}
