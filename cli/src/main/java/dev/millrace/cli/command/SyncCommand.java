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

    /** Which limit. */
    private static final class Place {

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

        SyncLimits limits(ApiClient api, Surroundings surroundings) {
            return new SyncLimits(api, server.namespace(surroundings), configMap);
        }

        void check() {
            if (!type.equalsIgnoreCase("configmap")) {
                throw CommandException.usage(
                        "--type %s: configmap is expected; limits in a database are not built"
                                .formatted(type));
            }
        }
    }

    /** What one of the commands does with a limit. */
    private interface Action {
        void on(SyncLimits limits);
    }

    private static int act(Place place, Surroundings surroundings, Action action) {
        place.check();
        try (ApiClient api = place.server.connect(surroundings)) {
            action.on(place.limits(api, surroundings));
        }
        return ExitCode.OK;
    }

    private static void print(JsonNode limit, String what, Surroundings surroundings) {
        surroundings
                .out()
                .println(
                        "%s: key %s of ConfigMap %s in namespace %s, limit %d"
                                .formatted(
                                        what,
                                        limit.path("key").asString(""),
                                        limit.path("cmName").asString(""),
                                        limit.path("namespace").asString(""),
                                        limit.path("limit").asInt(0)));
    }

    @Command(name = "create", description = "Creates a limit, and its ConfigMap if there is none.")
    private static final class Create implements Callable<Integer> {

        private final Surroundings surroundings;
        @Mixin final Place place = new Place();

        @Option(names = "--limit", required = true, paramLabel = "N", description = "Above zero.")
        int limit;

        Create(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            return act(
                    place,
                    surroundings,
                    limits -> print(limits.create(place.key, limit), "created", surroundings));
        }
    }

    @Command(name = "get", description = "Shows a limit.")
    private static final class Get implements Callable<Integer> {

        private final Surroundings surroundings;
        @Mixin final Place place = new Place();

        Get(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            return act(
                    place,
                    surroundings,
                    limits -> print(limits.get(place.key), "found", surroundings));
        }
    }

    @Command(name = "update", description = "Changes a limit; who waits is let in at once.")
    private static final class Update implements Callable<Integer> {

        private final Surroundings surroundings;
        @Mixin final Place place = new Place();

        @Option(names = "--limit", required = true, paramLabel = "N", description = "Above zero.")
        int limit;

        Update(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            return act(
                    place,
                    surroundings,
                    limits -> print(limits.update(place.key, limit), "updated", surroundings));
        }
    }

    @Command(name = "delete", description = "Takes a limit out of its ConfigMap.")
    private static final class Delete implements Callable<Integer> {

        private final Surroundings surroundings;
        @Mixin final Place place = new Place();

        Delete(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            return act(
                    place,
                    surroundings,
                    limits -> {
                        limits.delete(place.key);
                        surroundings.out().println("deleted: key " + place.key);
                    });
        }
    }
}
