package dev.millrace.executors.http;

import java.math.BigInteger;
import java.net.IDN;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which calls go through a proxy, by the variables {@code HTTP_PROXY}, {@code HTTPS_PROXY} and
 * {@code NO_PROXY} (or in small letters), as Go's client reads them: {@code localhost} and loopback
 * addresses never; {@code NO_PROXY} has names (with those below them), names after a dot (only
 * those below), addresses, networks in CIDR form, each but the last with a port if it is meant for
 * that one alone, or {@code *}.
 */
public final class ProxyRules {

    /**
     * A proxy.
     *
     * @param authorization value of {@code Proxy-Authorization}; null if it wants none
     */
    record Proxy(String host, int port, @Nullable String authorization) {}

    /** Whom a call goes to; the address is null if the host is a name. */
    private record Target(String host, int port, @Nullable InetAddress address) {}

    /** What a variable says; no proxy if it is not set. */
    private sealed interface Setting {
        record Usable(@Nullable Proxy proxy) implements Setting {}

        record Unusable(String problem) implements Setting {}
    }

    /** A proxy is named that cannot be used; the message has no password. */
    static final class UnusableProxyException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableProxyException(String message) {
            super(message);
        }
    }

    private final Setting http;
    private final Setting https;
    private final List<Predicate<Target>> direct = new ArrayList<>();

    private ProxyRules(Map<String, String> environment) {
        http = proxy("HTTP_PROXY", environment);
        https = proxy("HTTPS_PROXY", environment);
        for (String entry : variable("NO_PROXY", environment).split(",", -1)) {
            String text = entry.strip().toLowerCase(Locale.ROOT);
            if (!text.isEmpty()) {
                exception(text);
            }
        }
    }

    /**
     * Reads the variables.
     *
     * @param environment all variables; others are not looked at
     */
    public static ProxyRules of(Map<String, String> environment) {
        return new ProxyRules(environment);
    }

    /**
     * The proxy that a call goes through; empty if it goes directly.
     *
     * @throws UnusableProxyException if it should go through one that cannot be used
     */
    Optional<Proxy> proxyFor(URI uri) throws UnusableProxyException {
        boolean secure = "https".equalsIgnoreCase(uri.getScheme());
        if (uri.getHost() == null) {
            return Optional.empty();
        }
        String host = unbracketed(uri.getHost()).toLowerCase(Locale.ROOT);
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
        Target target = new Target(host, port, address(host));
        boolean here =
                host.equals("localhost")
                        || (target.address() != null && target.address().isLoopbackAddress());
        if (here || direct.stream().anyMatch(rule -> rule.test(target))) {
            return Optional.empty();
        }
        return switch (secure ? https : http) {
            case Setting.Usable(var proxy) -> Optional.ofNullable(proxy);
            case Setting.Unusable(var problem) -> throw new UnusableProxyException(problem);
        };
    }

    private static String variable(String name, Map<String, String> environment) {
        String value = environment.get(name);
        return value == null || value.isEmpty()
                ? environment.getOrDefault(name.toLowerCase(Locale.ROOT), "")
                : value;
    }

    private static Setting proxy(String name, Map<String, String> environment) {
        String text = variable(name, environment).strip();
        if (text.isEmpty()) {
            return new Setting.Usable(null);
        }
        try {
            URI uri = new URI(text.contains("://") ? text : "http://" + text);
            if ("http".equalsIgnoreCase(uri.getScheme()) && uri.getHost() != null) {
                String user = uri.getUserInfo();
                String basic =
                        user == null
                                ? null
                                : "Basic "
                                        + Base64.getEncoder()
                                                .encodeToString(
                                                        user.getBytes(StandardCharsets.UTF_8));
                return new Setting.Usable(
                        new Proxy(
                                unbracketed(uri.getHost()),
                                uri.getPort() >= 0 ? uri.getPort() : 80,
                                basic));
            }
        } catch (URISyntaxException e) {
            // The reason would show the password.
        }
        return new Setting.Unusable(
                "the variable %s names no proxy that can be used; write it as http://host:port"
                        .formatted(name));
    }

    private void exception(String text) {
        if (text.equals("*")) {
            direct.add(_ -> true);
            return;
        }
        int slash = text.indexOf('/');
        if (slash > 0) {
            network(text.substring(0, slash), text.substring(slash + 1));
            return;
        }
        String host = text;
        int port = -1;
        int colon = text.lastIndexOf(':');
        // More than one colon is an IPv6 address, unless brackets say where it ends.
        if (colon >= 0
                && (text.indexOf(':') == colon
                        || text.startsWith("[") && text.charAt(colon - 1) == ']')) {
            host = text.substring(0, colon);
            String digits = text.substring(colon + 1);
            if (host.isEmpty() || !digits.matches("\\d{1,5}")) {
                return;
            }
            port = Integer.parseInt(digits);
        }
        int only = port;
        InetAddress address = address(unbracketed(host));
        if (address != null) {
            direct.add(t -> address.equals(t.address()) && (only < 0 || only == t.port()));
            return;
        }
        String name = host.startsWith("*.") ? host.substring(1) : host;
        boolean itself = !name.startsWith(".");
        String bare = ascii(itself ? name : name.substring(1));
        direct.add(
                t ->
                        (t.host().endsWith("." + bare) || (itself && t.host().equals(bare)))
                                && (only < 0 || only == t.port()));
    }

    private void network(String base, String length) {
        InetAddress address = address(base);
        if (address == null || !length.matches("\\d{1,3}")) {
            return;
        }
        int bits = address.getAddress().length * 8;
        int shift = bits - Integer.parseInt(length);
        if (shift < 0) {
            return;
        }
        BigInteger prefix = new BigInteger(1, address.getAddress()).shiftRight(shift);
        direct.add(
                t ->
                        t.address() != null
                                && t.address().getAddress().length * 8 == bits
                                && new BigInteger(1, t.address().getAddress())
                                        .shiftRight(shift)
                                        .equals(prefix));
    }

    /** The address that a text is; null if it is a name. Nobody is asked for it. */
    private static @Nullable InetAddress address(String text) {
        try {
            return text.matches("\\d+\\.\\d+\\.\\d+\\.\\d+") || text.contains(":")
                    ? InetAddress.ofLiteral(text)
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }

    private static String ascii(String name) {
        try {
            return IDN.toASCII(name);
        } catch (IllegalArgumentException e) {
            return name;
        }
    }
}
