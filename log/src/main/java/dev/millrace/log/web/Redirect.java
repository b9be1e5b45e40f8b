package dev.millrace.log.web;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Where an answer leads on to, and what of the request goes there, as Go's client follows
 * redirects: 301 to 303 with GET and without a body (HEAD stays HEAD), 307 and 308 as it was.
 *
 * @param from the address that was asked
 * @param to the address to ask next
 * @param keeps whether method and body stay
 */
public record Redirect(URI from, URI to, boolean keeps) {
    /** So many are followed. */
    public static final int MOST = 10;

    private static final Set<String> FOR_ONE_HOST =
            Set.of("authorization", "cookie", "cookie2", "host", "www-authenticate");

    /** Whether an answer is a redirect. */
    public static boolean is(int status, HttpHeaders headers) {
        return switch (status) {
            case 301, 302, 303, 307, 308 ->
                    headers.firstValue("Location").filter(l -> !l.isEmpty()).isPresent();
            default -> false;
        };
    }

    /**
     * Reads an answer.
     *
     * @param asked the address that answered
     * @return empty if it is no redirect
     * @throws IllegalArgumentException if it leads to what is no address; the message says so
     */
    public static Optional<Redirect> of(URI asked, int status, HttpHeaders headers) {
        if (!is(status, headers)) {
            return Optional.empty();
        }
        String location = headers.firstValue("Location").orElseThrow();
        try {
            URI to = asked.resolve(Addresses.escaped(location));
            return Optional.of(new Redirect(asked, to, status == 307 || status == 308));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "it redirects to '%s', which is no address".formatted(location), e);
        }
    }

    /** The method of the next request. */
    public String method(String method) {
        return keeps || method.equals("HEAD") ? method : "GET";
    }

    /**
     * Whether a header of the request goes there too. What is meant for one host is told to itself
     * and to those below its name; {@link #referer} is new each time.
     *
     * @param secret whether its value is meant for one host whatever its name
     */
    public boolean takes(String header, boolean secret) {
        String name = header.toLowerCase(Locale.ROOT);
        return !name.equals("referer")
                && (staysWithin() || !(secret || FOR_ONE_HOST.contains(name)));
    }

    /** The value of {@code Referer}; a plain connection does not hear of an encrypted one. */
    public Optional<String> referer() {
        return leavesEncryption() ? Optional.empty() : Optional.of(Addresses.withoutPassword(from));
    }

    /** Whether it leads from https to http. */
    public boolean leavesEncryption() {
        return "https".equals(from.getScheme()) && "http".equals(to.getScheme());
    }

    private boolean staysWithin() {
        String host = host(to);
        return host.equals(host(from)) || host.endsWith("." + host(from));
    }

    private static String host(URI uri) {
        return String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
    }
}
