package dev.millrace.cli.command;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.Query;
import dev.millrace.cli.client.Workflows;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Whether a command that starts workflows stays until they have ended. */
final class FollowOptions {

    @Option(
            names = {"-w", "--wait"},
            description = "Wait until it has ended; exit with 0 if it Succeeded, else with 1.")
    boolean wait;

    @Option(names = "--watch", description = "The same, and show the tree meanwhile.")
    boolean watch;

    @Option(names = "--log", description = "The same, and show what the steps print meanwhile.")
    boolean log;

    /** Follows a workflow as it was asked for; the exit code that comes of it. */
    int follow(Workflows workflows, JsonNode started, Surroundings surroundings) {
        String namespace = started.path("metadata").path("namespace").asString("");
        String name = started.path("metadata").path("name").asString("");
        if (log) {
            LogLines lines = new LogLines(surroundings, surroundings.style());
            workflows.followLogs(namespace, name, "", Query.none(), lines::print);
        }
        if (watch) {
            return WatchCommand.watch(workflows, namespace, name, surroundings);
        }
        return wait || log
                ? WaitCommand.await(workflows, namespace, name, surroundings)
                : ExitCode.OK;
    }
}
