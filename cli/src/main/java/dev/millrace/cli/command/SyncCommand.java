package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.SyncLimits;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sync}: the limits of semaphores. */
final class SyncCommand {

    private SyncCommand() {}

    static CommandLine of(Surroundings surroundings) {
        return new CommandLine(new Group())
                .addSubcommand(new Create(surroundings))
                .addSubcommand(new Get(surroundings))
                .addSubcommand(new Update(surroundings))
                .addSubcommand(new Delete(surroundings));
    }

    @Command(
            name = "sync",
            description = "Shows and changes the limits of semaphores, which stand in ConfigMaps.")
    private static final class Group {}

    /** What is done with one limit. */
    private abstract static class OnLimit implements Callable<Integer> {

        final Surroundings surroundings;

        @Parameters(paramLabel = "KEY", description = "The key in the ConfigMap.")
        String key = "";

        @Option(
                names = "--cm-name",
                required = true,
                paramLabel = "NAME",
                description = "The ConfigMap.")
        String configMap = "";

        @Option(
                names = "--type",
                paramLabel = "TYPE",
                description = "configmap, the only one; limits in a database are not built.")
        String type = "configmap";

        @Mixin final ServerOptions server = new ServerOptions();

        OnLimit(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        /** Does it and says in a line what came of it. */
        abstract String act(SyncLimits limits);

        @Override
        public Integer call() {
            if (!type.equalsIgnoreCase("configmap")) {
                throw CommandException.usage(
                        "--type %s: configmap is expected; limits in a database are not built"
                                .formatted(type));
            }
            try (ApiClient api = server.connect(surroundings)) {
                surroundings
                        .out()
                        .println(
                                act(
                                        new SyncLimits(
                                                api, server.namespace(surroundings), configMap)));
            }
            return ExitCode.OK;
        }

        static String line(String what, JsonNode limit) {
            return "%s: key %s of ConfigMap %s in namespace %s, limit %d"
                    .formatted(
                            what,
                            limit.path("key").asString(""),
                            limit.path("cmName").asString(""),
                            limit.path("namespace").asString(""),
                            limit.path("limit").asInt(0));
        }
    }

    @Command(name = "create", description = "Creates a limit, and its ConfigMap if there is none.")
    private static final class Create extends OnLimit {

        @Option(names = "--limit", required = true, paramLabel = "N", description = "Above zero.")
        int limit;

        Create(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        String act(SyncLimits limits) {
            return line("created", limits.create(key, limit));
        }
    }

    @Command(name = "get", description = "Shows a limit.")
    private static final class Get extends OnLimit {

        Get(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        String act(SyncLimits limits) {
            return line("found", limits.get(key));
        }
    }

    @Command(name = "update", description = "Changes a limit; who waits is let in at once.")
    private static final class Update extends OnLimit {

        @Option(names = "--limit", required = true, paramLabel = "N", description = "Above zero.")
        int limit;

        Update(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        String act(SyncLimits limits) {
            return line("updated", limits.update(key, limit));
        }
    }

    @Command(name = "delete", description = "Takes a limit out of its ConfigMap.")
    private static final class Delete extends OnLimit {

        Delete(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        String act(SyncLimits limits) {
            limits.delete(key);
            return "deleted: key " + key;
        }
    }
}
