package dev.millrace.server.api;

import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who may speak to the server. It listens on a machine where somebody also has a browser open, and
 * any page in it can send requests here: a page is told by its Origin, a rebound name by the Host,
 * a form by its content type.
 */
final class LocalAccess {

    private static final Set<String> BODY_TYPES =
            Set.of(
                    "application/json",
                    "application/yaml",
                    "application/x-yaml",
                    "text/yaml",
                    "text/x-yaml");
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    // Only a name can be rebound to another address.
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[[0-9a-f:.%]+]");

    /** Why a request is refused. */
    record Refusal(int status, String message) {}

    private final Set<String> names;
    private final @Nullable String token;

    /**
     * @param names further names that the server is known by
     * @param token demanded of every request if the server listens beyond this machine, null if it
     *     does not
     */
    LocalAccess(Set<String> names, @Nullable String token) {
        this.names = names;
        this.token = token;
    }

    /** What speaks against a request, or null. */
    @Nullable Refusal check(Context ctx) {
        String path = ctx.path();
        // Probes of orchestrators come by address and tell nothing worth hiding.
        if (path.equals("/healthz") || path.equals("/readyz")) {
            return null;
        }
        boolean webhook = path.startsWith("/webhooks/");
        String host = ctx.header("Host");
        Refusal refusal = host(host == null ? "" : host);
        if (refusal == null) {
            refusal = origin(ctx.header("Origin"), host == null ? "" : host);
        }
        // Webhooks bring what their senders send, and have a secret of their own.
        if (refusal == null && !webhook) {
            refusal = token(ctx.header("Authorization"));
        }
        if (refusal == null && !webhook) {
            refusal = contentType(ctx.method().name(), ctx.header("Content-Type"));
        }
        return refusal;
    }

    @Nullable Refusal host(String host) {
        String name = withoutPort(host);
        boolean known =
                LOCAL_NAMES.contains(name)
                        || names.contains(name)
                        || (token != null && ADDRESS.matcher(name).matches());
        return known
                ? null
                : new Refusal(
                        403,
                        "the server does not answer to the name '%s'. Use localhost or 127.0.0.1, or add the name to the setting 'hosts' (in millrace.yaml, or MILLRACE_HOSTS)"
                                .formatted(name));
    }

    @Nullable Refusal origin(@Nullable String origin, String host) {
        if (origin == null
                || origin.equalsIgnoreCase("http://" + host)
                || origin.equalsIgnoreCase("https://" + host)) {
            return null;
        }
        return new Refusal(403, "pages of %s may not use this server".formatted(origin));
    }

    @Nullable Refusal contentType(String method, @Nullable String contentType) {
        boolean hasBody = method.equals("POST") || method.equals("PUT") || method.equals("PATCH");
        // The argo command sends none.
        if (!hasBody || contentType == null || contentType.isBlank()) {
            return null;
        }
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return BODY_TYPES.contains(type)
                        || (type.startsWith("application/") && type.endsWith("+json"))
                ? null
                : new Refusal(
                        415,
                        "bodies are taken as application/json or application/yaml, not as %s"
                                .formatted(type));
    }

    @Nullable Refusal token(@Nullable String authorization) {
        if (token == null) {
            return null;
        }
        String expected = "Bearer " + token;
        boolean same =
                authorization != null
                        && MessageDigest.isEqual(
                                authorization.getBytes(StandardCharsets.UTF_8),
                                expected.getBytes(StandardCharsets.UTF_8));
        return same
                ? null
                : new Refusal(
                        401,
                        "a bearer token is needed, since this server listens beyond its own machine. It stands in the file 'token' of the data folder; send it as 'Authorization: Bearer …' (ARGO_TOKEN='Bearer …')");
    }

    private static String withoutPort(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        int colon = lower.lastIndexOf(':');
        boolean hasPort =
                colon > 0
                        && lower.indexOf(']') < colon
                        && lower.substring(colon + 1).matches("\\d*");
        return hasPort ? lower.substring(0, colon) : lower;
    }
}
