package dev.millrace.cli.client;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import java.net.URI;
import java.util.Optional;

/**
 * Which server is meant: the option, else {@code MILLRACE_SERVER}, else {@code ARGO_SERVER}, else
 * this machine.
 */
public final class ServerAddress {

    private static final String HERE = "http://localhost:2746";

    private ServerAddress() {}

    /**
     * The address without a slash at its end.
     *
     * @param option what the command line says, empty if nothing
     * @throws CommandException if it is no address
     */
    public static URI of(String option, Surroundings surroundings) {
        if (!option.isBlank()) {
            return parse(option, "--server", false);
        }
        Optional<String> own = surroundings.variable("MILLRACE_SERVER");
        if (own.isPresent()) {
            return parse(own.get(), "MILLRACE_SERVER", false);
        }
        boolean secure = surroundings.variable("ARGO_SECURE").equals(Optional.of("true"));
        return surroundings
                .variable("ARGO_SERVER")
                .map(text -> parse(text, "ARGO_SERVER", secure))
                .orElseGet(() -> URI.create(HERE));
    }

    private static URI parse(String text, String origin, boolean secure) {
        String whole = text.strip();
        if (!whole.contains("://")) {
            whole = (secure ? "https://" : "http://") + whole;
        }
        while (whole.endsWith("/")) {
            whole = whole.substring(0, whole.length() - 1);
        }
        URI address;
        try {
            address = URI.create(whole);
        } catch (IllegalArgumentException e) {
            throw wrong(text, origin);
        }
        boolean web = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
        if (!web || address.getHost() == null || address.getQuery() != null) {
            throw wrong(text, origin);
        }
        return address;
    }

    private static CommandException wrong(String text, String origin) {
        return CommandException.usage(
                "%s: '%s' is no address of a server; write it like http://localhost:2746 or localhost:2746"
                        .formatted(origin, text));
    }
}
