package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Artifacts;
import dev.millrace.cli.client.Artifacts.Stored;
import dev.millrace.cli.client.Workflows;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "cp", description = "Copies the output artifacts of a workflow into a folder.")
final class CpCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            index = "0",
            paramLabel = "WORKFLOW",
            description = "The workflow's name; @latest is the newest.")
    String workflow = "";

    @Parameters(
            index = "1",
            paramLabel = "FOLDER",
            description = "Where to put them; it is made if it does not exist.")
    Path folder = Path.of("");

    @Option(names = "--node-id", paramLabel = "ID", description = "Those of this node only.")
    String nodeId = "";

    @Option(
            names = "--template-name",
            paramLabel = "NAME",
            description = "Those of nodes of this template only.")
    String templateName = "";

    @Option(
            names = "--artifact-name",
            paramLabel = "NAME",
            description = "Those of this name only.")
    String artifactName = "";

    @Option(
            names = "--path",
            paramLabel = "PATTERN",
            description =
                    "Folder of an artifact below FOLDER; knows {namespace}, {workflowName}, {nodeId}, {templateName} and {artifactName}. Without it: ${DEFAULT-VALUE}.")
    String path = "{namespace}/{workflowName}/{nodeId}/outputs/{artifactName}";

    @Mixin final ServerOptions server = new ServerOptions();

    CpCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try (ApiClient api = server.connect(surroundings)) {
            JsonNode found = new Workflows(api).get(server.namespace(surroundings), workflow);
            Artifacts artifacts = new Artifacts(api);
            List<Stored> wanted =
                    Artifacts.of(found).stream()
                            .filter(a -> nodeId.isEmpty() || a.nodeId().equals(nodeId))
                            .filter(
                                    a ->
                                            templateName.isEmpty()
                                                    || a.templateName().equals(templateName))
                            .filter(a -> artifactName.isEmpty() || a.name().equals(artifactName))
                            .toList();
            if (wanted.isEmpty()) {
                throw CommandException.refused(
                        "workflow %s has no such output artifact; millrace get %s -o yaml shows those it has"
                                .formatted(workflow, workflow));
            }
            for (Stored artifact : wanted) {
                Path target = target(artifact);
                for (Path file : artifacts.copy(artifact, target)) {
                    surroundings.out().println("Created %s".formatted(file));
                }
            }
        }
        return ExitCode.OK;
    }

    private Path target(Stored artifact) {
        Path below =
                Path.of(
                        path.replace("{namespace}", artifact.namespace())
                                .replace("{workflowName}", artifact.workflow())
                                .replace("{nodeId}", artifact.nodeId())
                                .replace("{templateName}", artifact.templateName())
                                .replace("{artifactName}", artifact.name()));
        return surroundings.folder().resolve(folder).resolve(below);
    }
}
