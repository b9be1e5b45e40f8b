package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.ApiException;
import dev.millrace.schemas.manifest.ManifestDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "apply",
        description = {
            "Creates or changes definitions: EventSources, Sensors, WorkflowTemplates, ConfigMaps, Secrets …",
            "Workflows are left out; 'submit' and 'run' start those."
        })
final class ApplyCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Files or folders; - is standard input.")
    List<String> paths = new ArrayList<>();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "The same, as kubectl takes it.")
    List<String> files = new ArrayList<>();

    @Mixin final ServerOptions server = new ServerOptions();

    ApplyCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        List<String> all =
                ManifestFile.expand(
                        Stream.concat(files.stream(), paths.stream()).toList(), surroundings);
        if (all.isEmpty()) {
            throw CommandException.usage("which file? Give it with -f FILE");
        }
        boolean applied = true;
        try (ApiClient api = server.connect(surroundings)) {
            Manifests manifests = new Manifests(api, server.namespace(surroundings), surroundings);
            for (String name : all) {
                applied &= apply(manifests, name);
            }
        }
        return applied ? ExitCode.OK : ExitCode.FAILED;
    }

    /** A file that is wrong does not keep back the others. */
    private boolean apply(Manifests manifests, String name) {
        try {
            ManifestFile file = ManifestFile.read(name, surroundings);
            for (ManifestDocument workflow : file.documents(true)) {
                surroundings
                        .err()
                        .println(
                                "%s: %s is left out; start it with 'millrace submit'"
                                        .formatted(name, workflow.manifest()));
            }
            return manifests.apply(name, file.documents(false), surroundings.out()::println);
        } catch (CommandException e) {
            surroundings.err().println(e.text());
            return false;
        } catch (ApiException e) {
            surroundings.err().println("millrace: " + name + ": " + e.text());
            return false;
        }
    }
}
