package dev.millrace.eventsources.webhook;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The headers of a request as sensors see them: names in Go's canonical form, values as arrays. */
final class HeaderMap {

    /** What stands in the place of credentials. */
    static final String MASKED = "*** Masked Auth Secret ***";

    private static final String AUTHORIZATION = "Authorization";

    private HeaderMap() {}

    static Map<String, List<String>> of(List<WebhookRequest.Header> headers) {
        Map<String, List<String>> map = new TreeMap<>();
        for (WebhookRequest.Header header : headers) {
            String name = canonical(header.name());
            // Go's server takes these out of the map: they are about the connection.
            switch (name) {
                case "Host", "Transfer-Encoding", "Trailer" -> {}
                default ->
                        map.computeIfAbsent(name, n -> new ArrayList<>())
                                .add(header.value().strip());
            }
        }
        List<String> authorization = map.get(AUTHORIZATION);
        if (authorization != null && !authorization.getFirst().isEmpty()) {
            map.put(AUTHORIZATION, List.of(MASKED));
        }
        return map;
    }

    /** {@code x-github-event} becomes {@code X-Github-Event}; only a dash begins a new word. */
    static String canonical(String name) {
        StringBuilder canonical = new StringBuilder(name.length());
        boolean wordStart = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isTokenCharacter(c)) {
                return name;
            }
            canonical.append(wordStart ? upper(c) : lower(c));
            wordStart = c == '-';
        }
        return canonical.toString();
    }

    private static boolean isTokenCharacter(char c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }

    private static char upper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - 32) : c;
    }

    private static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
    }
}
