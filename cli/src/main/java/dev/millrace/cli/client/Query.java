package dev.millrace.cli.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The query of a request; what is empty is left out. */
public final class Query {

    private final Map<String, String> parameters = new LinkedHashMap<>();

    public static Query none() {
        return new Query();
    }

    public Query with(String name, String value) {
        if (!value.isEmpty()) {
            parameters.put(name, value);
        }
        return this;
    }

    public Query with(String name, boolean value) {
        return with(name, value ? "true" : "");
    }

    /** The same but for one parameter. */
    Query without(String name) {
        Query query = new Query();
        query.parameters.putAll(parameters);
        query.parameters.remove(name);
        return query;
    }

    /** The same, but a parameter that is a number of seconds before now grows by a time. */
    Query later(String name, Duration by) {
        String seconds = parameters.get(name);
        return seconds == null
                ? this
                : without(name).with(name, Long.toString(Long.parseLong(seconds) + by.toSeconds()));
    }

    /** {@code ?a=b&c=d}, or nothing. */
    String text() {
        return parameters.isEmpty()
                ? ""
                : parameters.entrySet().stream()
                        .map(
                                parameter ->
                                        encode(parameter.getKey())
                                                + "="
                                                + encode(parameter.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    /** A text as one segment of a path. */
    static String segment(String text) {
        return encode(text).replace("+", "%20").replace("%40", "@");
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
