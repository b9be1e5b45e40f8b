package dev.millrace.server.configuration;

import dev.millrace.executors.http.ExecutorPlugin;
import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads where plugins for templates listen. */
final class ExecutorPlugins {
    private static final List<String> MEMBERS =
            List.of("url", "tokenFile", "tokenSecret", "timeout");

    private ExecutorPlugins() {}

    /**
     * Reads {@code {hello: {url: "http://localhost:4355", tokenFile: /run/hello.token, timeout:
     * 30s}}}.
     *
     * @throws IllegalArgumentException saying what is wrong, and what to write instead
     */
    static Map<String, ExecutorPlugin> read(JsonNode tree) {
        if (!tree.isObject()) {
            throw new IllegalArgumentException(
                    "a map such as {hello: {url: \"http://localhost:4355\"}} is expected");
        }
        Map<String, ExecutorPlugin> plugins = new LinkedHashMap<>();
        tree.properties().forEach(e -> plugins.put(e.getKey(), plugin(e.getKey(), e.getValue())));
        return plugins;
    }

    private static ExecutorPlugin plugin(String name, JsonNode tree) {
        if (!tree.isObject()) {
            throw new IllegalArgumentException(name + " is a map with url");
        }
        for (String member : tree.propertyNames()) {
            if (!MEMBERS.contains(member)) {
                throw new IllegalArgumentException(
                        "%s.%s is not known here; there are %s"
                                .formatted(name, member, String.join(", ", MEMBERS)));
            }
        }
        String file = tree.path("tokenFile").asString("");
        if (!file.isEmpty() && tree.has("tokenSecret")) {
            throw new IllegalArgumentException(
                    name + " has both tokenFile and tokenSecret; write one of them");
        }
        if (!file.isEmpty() && !Path.of(file).isAbsolute()) {
            throw new IllegalArgumentException(name + ".tokenFile must be an absolute path");
        }
        return new ExecutorPlugin(
                url(name, tree.path("url").asString("").strip()),
                file.isEmpty() ? null : Path.of(file),
                secret(name, tree.path("tokenSecret")),
                timeout(name, tree.path("timeout").asString("30s")));
    }

    private static URI url(String name, String text) {
        try {
            URI url = URI.create(text.replaceAll("/+$", ""));
            boolean web =
                    "http".equalsIgnoreCase(url.getScheme())
                            || "https".equalsIgnoreCase(url.getScheme());
            if (web
                    && url.getHost() != null
                    && url.getUserInfo() == null
                    && url.getQuery() == null
                    && url.getFragment() == null) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // Said below, in our own words.
        }
        throw new IllegalArgumentException(
                name + ".url must be an address such as http://localhost:4355, without a password");
    }

    private static ExecutorPlugin.@Nullable TokenSecret secret(String name, JsonNode tree) {
        if (tree.isMissingNode() || tree.isNull()) {
            return null;
        }
        String secret = tree.path("name").asString("");
        String key = tree.path("key").asString("");
        if (secret.isEmpty() || key.isEmpty()) {
            throw new IllegalArgumentException(
                    name + ".tokenSecret must have the name of a Secret and a key");
        }
        return new ExecutorPlugin.TokenSecret(
                tree.path("namespace").asString("default"), secret, key);
    }

    private static Duration timeout(String name, String text) {
        try {
            Duration timeout = GoDuration.parse(text);
            if (timeout.isPositive()) {
                return timeout;
            }
        } catch (DurationSyntaxException e) {
            // Said below, in our own words.
        }
        throw new IllegalArgumentException(name + ".timeout must be a duration such as 30s or 2m");
    }
}
