package dev.millrace.cli.command;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.ApiException;
import dev.millrace.cli.client.Query;
import dev.millrace.cli.client.UnreachableException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
        name = "version",
        description = "Shows the versions of this command and of the server, if one answers.")
final class VersionCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Option(names = "--short", description = "Only this command's.")
    boolean brief;

    @Mixin final ServerOptions server = new ServerOptions();

    VersionCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        surroundings.out().println("millrace " + own());
        if (!brief) {
            surroundings.out().println(other());
        }
        return ExitCode.OK;
    }

    static String own() {
        String version = VersionCommand.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private String other() {
        try (ApiClient api = server.connect(surroundings)) {
            JsonNode version = api.get("/api/v1/version", Query.none());
            String millrace = version.path("millrace").asString("");
            String argo = version.path("version").asString("");
            return "server at %s: %s"
                    .formatted(
                            api.base(),
                            millrace.isEmpty() ? argo : millrace + ", speaks as " + argo);
        } catch (UnreachableException | ApiException e) {
            return "server: " + e.getMessage();
        }
    }
}
