package dev.millrace.cli.local;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.log.PartitionMismatchException;
import dev.millrace.log.embedded.BrokerStartException;
import dev.millrace.log.embedded.DataFolderInUseException;
import dev.millrace.log.embedded.DiskFullException;
import dev.millrace.server.AccessToken;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.ReadModelRebuild;
import dev.millrace.server.api.PortInUseException;
import dev.millrace.server.configuration.Configuration;
import dev.millrace.server.configuration.ConfigurationException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Starts the real server: all roles in this process. */
public final class MillraceLauncher implements ServerLauncher {

    private final Map<String, String> environment;

    /**
     * @param environment variables that may hold settings
     */
    public MillraceLauncher(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public RunningServer start(ServerPlan plan, Consumer<String> say) {
        return explained(
                () -> {
                    Configuration configuration = configuration(plan);
                    return new Running(MillraceServer.start(configuration, say), configuration);
                });
    }

    /**
     * Makes the read model of a data folder anew; its server must be stopped.
     *
     * @return the file that was made
     * @throws CommandException saying what is in the way
     */
    public static Path rebuild(Path data) {
        if (!Files.isDirectory(data)) {
            throw new CommandException(
                    ExitCode.FAILED,
                    "%s is no data folder; name the one of 'millrace up' with --data"
                            .formatted(data));
        }
        return explained(() -> ReadModelRebuild.run(Configuration.load(data, null, Map.of())));
    }

    private static <T> T explained(Supplier<T> action) {
        try {
            return action.get();
        } catch (ConfigurationException e) {
            throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        } catch (PortInUseException
                | DataFolderInUseException
                | DiskFullException
                | PartitionMismatchException
                | BrokerStartException e) {
            throw new CommandException(ExitCode.UNAVAILABLE, String.valueOf(e.getMessage()), e);
        } catch (UncheckedIOException e) {
            throw new CommandException(ExitCode.UNAVAILABLE, e.getMessage() + ": " + reason(e), e);
        }
    }

    /** The plan over the configuration file of its data folder. */
    private Configuration configuration(ServerPlan plan) {
        Map<String, String> flags = new HashMap<>();
        plan.port().ifPresent(port -> flags.put("port", Integer.toString(port)));
        plan.bind().ifPresent(bind -> flags.put("bind", bind));
        if (plan.keepSteps()) {
            flags.put("keepSteps", "true");
        }
        return Configuration.load(plan.data(), plan.definitions().orElse(null), flags, environment);
    }

    private static String reason(UncheckedIOException failure) {
        Throwable cause = failure.getCause();
        return cause == null
                ? "no reason was given"
                : cause.getClass().getSimpleName() + " " + cause.getMessage();
    }

    private record Running(MillraceServer server, Configuration configuration)
            implements RunningServer {

        @Override
        public URI api() {
            return server.apiAddress();
        }

        @Override
        public List<String> facts() {
            return server.executor().lines().toList();
        }

        @Override
        public boolean isLoopback() {
            return configuration.isLoopback();
        }

        @Override
        public Optional<String> authorization() {
            return configuration.isLoopback()
                    ? Optional.empty()
                    : Optional.of("Bearer " + AccessToken.of(configuration.data()));
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
