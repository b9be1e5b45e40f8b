package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.ServerAddress;
import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which server, and which namespace on it. */
final class ServerOptions {

    private static final String TOKEN_FILE = "token";

    @Option(
            names = {"--server", "-s"},
            paramLabel = "URL",
            description =
                    "The server, such as http://localhost:2746. Without it: MILLRACE_SERVER, ARGO_SERVER, else the one on this machine.")
    String server = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The namespace. Without it: ARGO_NAMESPACE, else default.")
    String namespace = "";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description =
                    "What to show a server that demands a token. Without it: ARGO_TOKEN, else that of the data folder here.")
    String token = "";

    /** Whether the command line or the environment names a server. */
    boolean isGiven(Surroundings surroundings) {
        return !server.isBlank()
                || surroundings.variable("MILLRACE_SERVER").isPresent()
                || surroundings.variable("ARGO_SERVER").isPresent();
    }

    String namespace(Surroundings surroundings) {
        return namespace.isBlank()
                ? surroundings.variable("ARGO_NAMESPACE").orElse("default")
                : namespace;
    }

    ApiClient connect(Surroundings surroundings) {
        URI address = ServerAddress.of(server, surroundings);
        return new ApiClient(address, authorization(address, surroundings));
    }

    /**
     * The option, or {@code ARGO_TOKEN}, as it is; else the token of the data folder here, which is
     * for this machine's server only.
     */
    private Optional<String> authorization(URI address, Surroundings surroundings) {
        Optional<String> given =
                token.isBlank() ? surroundings.variable("ARGO_TOKEN") : Optional.of(token.strip());
        if (given.isPresent()) {
            return given.map(text -> text.contains(" ") ? text : "Bearer " + text);
        }
        return isHere(address) ? token(surroundings.dataFolder()) : Optional.empty();
    }

    /** The header's value by the token of a data folder, if there is one. */
    static Optional<String> token(Path dataFolder) {
        Path file = dataFolder.resolve(TOKEN_FILE);
        try {
            String token = Files.readString(file).strip();
            return token.isEmpty() ? Optional.empty() : Optional.of("Bearer " + token);
        } catch (NoSuchFileException | AccessDeniedException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw CommandException.refused(
                    "the token in %s cannot be read: %s".formatted(file, e.getMessage()));
        }
    }

    private static boolean isHere(URI address) {
        return switch (address.getHost()) {
            case "localhost", "127.0.0.1", "[::1]" -> true;
            default -> false;
        };
    }
}
