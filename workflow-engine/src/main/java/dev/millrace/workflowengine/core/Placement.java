package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.expressions.tag.Tag;
import dev.millrace.expressions.tag.TagTemplate;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.workflow.Template;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says where the artifacts of a step lie, before it is requested: an executor finds a complete
 * place on each of them. The place of an output depends on the names of workflow and pod, so that a
 * repeat of the step stores it at the same place.
 */
final class Placement {
    private static final String DEFAULT_FORMAT = "{{workflow.name}}/{{pod.name}}";

    /** What repositories of the several stores call the format of their keys. */
    private static final List<String> FORMATS =
            List.of("keyFormat", "blobNameFormat", "pathFormat");

    private Placement() {}

    /**
     * The template with places on its artifacts, and with the logs among its outputs if they are to
     * be kept.
     *
     * @throws CallException if there is no place for an artifact
     */
    static Called of(Transition t, Node node, Called called) {
        JsonNode body = called.body();
        boolean logs = keepsLogs(t, body);
        JsonNode inputs = body.path("inputs").path("artifacts");
        JsonNode outputs = body.path("outputs").path("artifacts");
        boolean lists = body.path("data").path("source").path("artifactPaths").isObject();
        if (!logs && !lists && inputs.isEmpty() && outputs.isEmpty()) {
            return called;
        }
        Variables variables = Calls.variables(t, node, called);
        ObjectNode repository = repository(t, body, variables);
        ObjectNode placed = (ObjectNode) body.deepCopy();
        for (JsonNode input : placed.path("inputs").path("artifacts")) {
            input((ObjectNode) input, repository);
        }
        if (lists) {
            listed(
                    (ObjectNode) placed.path("data").path("source").path("artifactPaths"),
                    repository);
        }
        for (JsonNode output : placed.path("outputs").path("artifacts")) {
            output((ObjectNode) output, repository, run(t) + file(output));
        }
        if (logs && repository != null) {
            ObjectNode puts =
                    placed.get("outputs") instanceof ObjectNode known
                            ? known
                            : placed.putObject("outputs");
            ArrayNode artifacts =
                    puts.get("artifacts") instanceof ArrayNode known
                            ? known
                            : puts.putArray("artifacts");
            for (String container : containers(body)) {
                ObjectNode log = artifacts.addObject();
                log.put("name", container + "-logs").put("archiveLogs", true);
                output(log, repository, run(t) + container + ".log");
            }
        }
        Template template = Json.convert(placed, Template.class);
        return new Called(
                placed,
                template,
                called.inputs() == null ? null : template.inputs(),
                called.scope(),
                called.definition(),
                called.filling());
    }

    private static void input(ObjectNode artifact, @Nullable ObjectNode repository) {
        if (Locations.located(artifact)) {
            Locations.complete(artifact, repository, "");
            resolved(artifact);
            Locations.descend(artifact, artifact.path("subPath").asString(""));
        }
        artifact.remove("subPath");
    }

    /** What is listed may be a whole bucket, which has no key. */
    private static void listed(ObjectNode folder, @Nullable ObjectNode repository) {
        Locations.complete(folder, repository, "");
        resolved(folder);
    }

    private static void output(ObjectNode artifact, @Nullable ObjectNode repository, String file) {
        String prefix = repository == null ? "" : Locations.key(repository);
        Locations.complete(artifact, repository, Locations.join(prefix, file));
        resolved(artifact);
    }

    /**
     * What a retry of the workflow stores lies beside what earlier runs stored, which may be given
     * up at any time.
     */
    private static String run(Transition t) {
        int run = t.head().run();
        return run == 0 ? "" : "retry-" + run + "/";
    }

    /** The name of the file that an artifact without a key of its own becomes. */
    private static String file(JsonNode artifact) {
        String name = artifact.path("name").asString("");
        JsonNode archive = artifact.path("archive");
        if (archive.hasNonNull("none")) {
            String path = artifact.path("path").asString("").replaceAll("/+$", "");
            String last = path.substring(path.lastIndexOf('/') + 1);
            return last.isEmpty() ? name : last;
        }
        return name + (archive.hasNonNull("zip") ? ".zip" : ".tgz");
    }

    /** A key with a tag left in it would be another one than the user means. */
    private static void resolved(ObjectNode artifact) {
        if (artifact.hasNonNull("raw")) {
            return;
        }
        for (Tag tag : TagTemplate.parse(Locations.key(artifact)).tags()) {
            String text =
                    switch (tag) {
                        case Tag.Simple(var name) -> name;
                        case Tag.Expression(var source) -> "=" + source;
                    };
            throw new CallException(
                    "artifact "
                            + artifact.path("name").asString("")
                            + ": failed to resolve {{"
                            + text
                            + "}} in its place");
        }
    }

    /**
     * Where artifacts without a complete place go: what the template says, else what the workflow
     * was submitted with; null if nowhere.
     */
    private static @Nullable ObjectNode repository(
            Transition t, JsonNode body, Variables variables) {
        ObjectNode general = repository(t.source().artifactRepository(), variables);
        if (!(body.path("archiveLocation") instanceof ObjectNode own) || !Locations.located(own)) {
            return general;
        }
        ObjectNode place = own.deepCopy();
        String key = general == null ? DEFAULT_FORMAT : Locations.key(general);
        Locations.complete(place, general, replaced(key, variables));
        return place;
    }

    private static @Nullable ObjectNode repository(
            @Nullable JsonNode declared, Variables variables) {
        if (declared == null || !declared.isObject()) {
            return null;
        }
        String store = Locations.store(declared);
        if (store == null) {
            return null;
        }
        ObjectNode repository = Json.object();
        ObjectNode place = (ObjectNode) declared.get(store).deepCopy();
        String format = DEFAULT_FORMAT;
        if (place.hasNonNull("keyPrefix")) {
            format = Locations.join(place.path("keyPrefix").asString(""), DEFAULT_FORMAT);
        }
        for (String member : FORMATS) {
            if (!place.path(member).asString("").isEmpty()) {
                format = place.path(member).asString("");
            }
        }
        place.remove(FORMATS);
        place.remove("keyPrefix");
        repository.set(store, place);
        Locations.setKey(repository, replaced(format, variables));
        return repository;
    }

    private static String replaced(String text, Variables variables) {
        return Calls.replace(
                        Json.mapper().getNodeFactory().stringNode(text), variables, Mode.LENIENT)
                .asString("");
    }

    /**
     * A repository that keeps logs cannot be overruled; else the template counts, then the spec.
     */
    private static boolean keepsLogs(Transition t, JsonNode body) {
        if (body.path("data").isObject()) {
            return false; // No program runs, so nothing is written.
        }
        JsonNode repository = t.source().artifactRepository();
        if (repository != null && repository.path("archiveLogs").asBoolean(false)) {
            return true;
        }
        boolean general = t.workflow().spec().path("archiveLogs").asBoolean(false);
        return body.path("archiveLocation").path("archiveLogs").asBoolean(general);
    }

    private static List<String> containers(JsonNode body) {
        List<String> names = new ArrayList<>();
        for (JsonNode container : body.path("containerSet").path("containers")) {
            names.add(container.path("name").asString(""));
        }
        return names.isEmpty() ? List.of("main") : names;
    }
}
