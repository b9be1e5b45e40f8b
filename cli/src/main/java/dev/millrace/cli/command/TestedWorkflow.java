package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.testing.WorkflowTest;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.workflowengine.submission.References;
import dev.millrace.workflowengine.submission.ResolvedWorkflow;
import dev.millrace.workflowengine.submission.UnresolvedReferenceException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a test runs: the workflow with its arguments, and what is to be found around it.
 *
 * @param limits values of ConfigMaps by {@code namespace/name}
 */
record TestedWorkflow(WorkflowCommand.Submit submit, Map<String, Map<String, String>> limits) {

    private static final String NAMESPACE = Manifest.DEFAULT_NAMESPACE;

    /** Nothing is stored; steps get and give artifacts by their places only. */
    private static final JsonNode REPOSITORY =
            Json.mapper()
                    .readTree("{\"local\":{\"keyFormat\":\"{{workflow.name}}/{{pod.name}}\"}}");

    /**
     * Reads the files of a test and checks them as a submission would be.
     *
     * @param testFile what relative paths start from
     * @throws CommandException if something is wrong with them
     */
    static TestedWorkflow of(WorkflowTest test, String testFile, Surroundings surroundings) {
        List<ManifestFile> files = new ArrayList<>();
        files.add(
                test.workflow().isString()
                        ? file(testFile, test.workflow().stringValue(), surroundings)
                        : new ManifestFile(
                                testFile, "", ManifestReader.check(testFile, test.workflow())));
        for (String path : test.templates()) {
            files.add(file(testFile, path, surroundings));
        }
        files.forEach(ManifestFile::documents);
        ObjectNode tree = workflow(files.getFirst());
        arguments(tree, test);
        LintedFiles known = new LintedFiles(files, NAMESPACE, null);
        check(files.getFirst(), tree, known);
        String name = name(tree);
        tree.withObject("/metadata").put("name", name);
        ResolvedWorkflow resolved;
        try {
            resolved = References.resolve(tree.path("spec"), namespace(tree), known);
        } catch (UnresolvedReferenceException e) {
            throw CommandException.wrongManifests(
                    List.of("%s: %s".formatted(files.getFirst().name(), e.getMessage())), e);
        }
        return new TestedWorkflow(
                new WorkflowCommand.Submit(
                        "test",
                        namespace(tree),
                        name,
                        "00000000-0000-0000-0000-000000000000",
                        tree,
                        resolved.spec(),
                        resolved.storedTemplates(),
                        resolved.fromTemplate(),
                        null,
                        REPOSITORY),
                limits(files));
    }

    private static ManifestFile file(String testFile, String path, Surroundings surroundings) {
        Path folder = Path.of(testFile).getParent();
        return ManifestFile.read(
                folder == null ? path : folder.resolve(path).normalize().toString(), surroundings);
    }

    /** The workflow of the file, or one that the file's only template makes. */
    private static ObjectNode workflow(ManifestFile file) {
        List<ManifestDocument> workflows = file.documents(true);
        if (workflows.size() == 1) {
            return Manifests.placed(workflows.getFirst().manifest(), NAMESPACE);
        }
        List<ManifestDocument> templates =
                file.documents().stream()
                        .filter(d -> d.manifest().kind() == Kind.WORKFLOW_TEMPLATE)
                        .toList();
        if (!workflows.isEmpty() || templates.size() != 1) {
            throw CommandException.wrongManifests(
                    List.of(
                            "%s: one Workflow, or one WorkflowTemplate, is expected; there are %d and %d"
                                    .formatted(file.name(), workflows.size(), templates.size())));
        }
        ObjectNode template = Manifests.placed(templates.getFirst().manifest(), NAMESPACE);
        String name = template.path("metadata").path("name").asString("");
        ObjectNode tree =
                Json.object().put("apiVersion", Kind.WORKFLOW.apiVersion()).put("kind", "Workflow");
        tree.putObject("metadata").put("name", name).put("namespace", namespace(template));
        tree.putObject("spec").putObject("workflowTemplateRef").put("name", name);
        return tree;
    }

    private static void arguments(ObjectNode tree, WorkflowTest test) {
        if (test.arguments().isEmpty()) {
            return;
        }
        ObjectNode arguments = tree.withObject("/spec").withObject("/arguments");
        ArrayNode parameters =
                arguments.path("parameters") instanceof ArrayNode given
                        ? given
                        : arguments.putArray("parameters");
        test.arguments()
                .forEach(
                        (name, value) -> {
                            ObjectNode parameter =
                                    parameters
                                            .valueStream()
                                            .filter(p -> p.path("name").asString("").equals(name))
                                            .findFirst()
                                            .map(JsonNode::asObject)
                                            .orElseGet(
                                                    () -> parameters.addObject().put("name", name));
                            parameter.remove("valueFrom");
                            parameter.put("value", value.text());
                        });
    }

    private static void check(ManifestFile file, ObjectNode tree, LintedFiles known) {
        List<ManifestDocument> written = file.documents(true);
        List<Problem> problems = new ArrayList<>();
        for (ManifestDocument document : ManifestReader.check(file.name(), tree).documents()) {
            ManifestDocument placed =
                    written.isEmpty()
                            ? document
                            : new ManifestDocument(
                                    document.manifest(),
                                    written.getFirst().places(),
                                    document.problems());
            problems.addAll(known.meaning(placed));
        }
        List<String> errors =
                problems.stream()
                        .filter(Problem::isError)
                        .map(TestedWorkflow::asOfATest)
                        .map(
                                problem ->
                                        problem.place().isKnown()
                                                ? problem.toString()
                                                : file.name() + ": " + problem)
                        .toList();
        if (!errors.isEmpty()) {
            throw CommandException.wrongManifests(errors);
        }
    }

    /** There is no server that a template could be applied to. */
    private static Problem asOfATest(Problem problem) {
        return new Problem(
                problem.severity(),
                problem.place(),
                problem.path(),
                problem.message(),
                problem.hint()
                        .replace("apply it first", "name the file that has it under templates"));
    }

    private static String name(ObjectNode tree) {
        JsonNode metadata = tree.path("metadata");
        String name = metadata.path("name").asString("");
        return name.isEmpty() ? metadata.path("generateName").asString("") + "test" : name;
    }

    private static String namespace(JsonNode tree) {
        return tree.path("metadata").path("namespace").asString(NAMESPACE);
    }

    private static Map<String, Map<String, String>> limits(List<ManifestFile> files) {
        Map<String, Map<String, String>> limits = new HashMap<>();
        files.stream()
                .flatMap(file -> file.content().manifests().stream())
                .filter(manifest -> manifest.kind() == Kind.CONFIG_MAP)
                .map(manifest -> Manifests.placed(manifest, NAMESPACE))
                .forEach(
                        tree -> {
                            Map<String, String> data = new LinkedHashMap<>();
                            tree.path("data")
                                    .properties()
                                    .forEach(e -> data.put(e.getKey(), e.getValue().asString("")));
                            limits.put(
                                    namespace(tree)
                                            + "/"
                                            + tree.path("metadata").path("name").asString(""),
                                    data);
                        });
        return limits;
    }
}
