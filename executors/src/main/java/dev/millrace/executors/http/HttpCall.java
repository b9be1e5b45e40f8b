package dev.millrace.executors.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A request and the redirects that it is led through: 301 to 303 go on with GET and without a body
 * (HEAD stays HEAD), 307 and 308 as they were, ten at most; the last answer counts.
 */
record HttpCall(String method, URI uri, List<Field> fields, byte[] body) {
    private static final int MOST_REDIRECTS = 10;

    /** They belong to the connection, or follow from the body; the client sets them itself. */
    private static final Set<String> COMPUTED =
            Set.of(
                    "connection",
                    "content-length",
                    "expect",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    private static final Set<String> FOR_ONE_HOST =
            Set.of("authorization", "cookie", "cookie2", "host", "www-authenticate");

    /**
     * A header.
     *
     * @param secret whether the value is a Secret's, which is told to no other host
     */
    record Field(String name, String value, boolean secret) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }

        private boolean isForOneHost() {
            return secret || FOR_ONE_HOST.contains(name.toLowerCase(Locale.ROOT));
        }
    }

    /** What came of it. */
    sealed interface Answer {
        record Response(int status, HttpHeaders headers, byte[] body) implements Answer {}

        /** It cannot be sent, or nobody answered. */
        record None(String reason) implements Answer {}

        record TooLarge() implements Answer {}

        record OutOfTime() implements Answer {}

        /** Nobody wants to know any more. */
        record Cancelled() implements Answer {}
    }

    private static final class UnsendableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnsendableException(String message) {
            super(message);
        }
    }

    /**
     * Sends it and waits for the whole answer.
     *
     * @param insecure whether the certificates of servers are taken as they are
     * @param deadline of {@link System#nanoTime()}
     * @param cancelled ends the call when it is completed
     */
    Answer send(
            HttpClients clients,
            boolean insecure,
            int maxBodyBytes,
            long deadline,
            CompletableFuture<?> cancelled)
            throws InterruptedException {
        HttpCall next = this;
        try {
            for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
                CompletableFuture<HttpResponse<byte[]>> response =
                        clients.get(insecure)
                                .sendAsync(
                                        next.request(clients.proxyAuthorization(next.uri)),
                                        body(maxBodyBytes));
                try {
                    CompletableFuture.anyOf(response, cancelled)
                            .get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                    if (!response.isDone()) {
                        return new Answer.Cancelled();
                    }
                } finally {
                    response.cancel(true);
                }
                HttpResponse<byte[]> answer = response.get();
                Optional<URI> target = next.target(answer);
                if (target.isEmpty()) {
                    return new Answer.Response(
                            answer.statusCode(), answer.headers(), answer.body());
                }
                next = next.redirected(answer, target.get());
            }
        } catch (TimeoutException e) {
            return new Answer.OutOfTime();
        } catch (UnsendableException | ProxyRules.UnusableProxyException e) {
            return new Answer.None(String.valueOf(e.getMessage()));
        } catch (ExecutionException e) {
            if (cancelled.isDone()) {
                // The client may have been closed under it.
                return new Answer.Cancelled();
            }
            return e.getCause() instanceof BoundedBody.TooLargeException
                    ? new Answer.TooLarge()
                    : new Answer.None(reason(e.getCause()));
        }
        return new Answer.None("stopped after %d redirects".formatted(MOST_REDIRECTS));
    }

    private static BodyHandler<byte[]> body(int maxBodyBytes) {
        return info ->
                isRedirect(info.statusCode(), info.headers())
                        ? BodySubscribers.replacing(new byte[0])
                        : new BoundedBody(maxBodyBytes);
    }

    private HttpRequest request(Optional<String> proxyAuthorization) throws UnsendableException {
        HttpRequest.Builder request = HttpRequest.newBuilder();
        try {
            request.uri(uri);
            if (body.length > 0) {
                request.method(method, BodyPublishers.ofByteArray(body));
            } else if (method.equals("GET")) {
                // Unlike method("GET", noBody()) it sends no Content-Length, which some receivers
                // refuse.
                request.GET();
            } else {
                request.method(method, BodyPublishers.noBody());
            }
        } catch (IllegalArgumentException e) {
            throw new UnsendableException(String.valueOf(e.getMessage()));
        }
        // Over plain connections HTTP/2 would begin with an upgrade, which some receivers refuse.
        request.version(
                "https".equalsIgnoreCase(uri.getScheme())
                        ? HttpClient.Version.HTTP_2
                        : HttpClient.Version.HTTP_1_1);
        // The client keeps it from everybody but the proxy.
        proxyAuthorization.ifPresent(value -> request.header("Proxy-Authorization", value));
        for (Field field : fields) {
            if (COMPUTED.contains(field.name().toLowerCase(Locale.ROOT))) {
                continue;
            }
            try {
                request.header(field.name(), field.value());
            } catch (IllegalArgumentException e) {
                // The reason itself would show the value.
                throw new UnsendableException(
                        "header '%s' cannot be sent: %s"
                                .formatted(
                                        field.name(),
                                        field.is("Host")
                                                ? "start the server with -Djdk.httpclient.allowRestrictedHeaders=host"
                                                : "its name or value has characters (a line break?) that headers cannot have"));
            }
        }
        return request.build();
    }

    private static boolean isRedirect(int status, HttpHeaders headers) {
        return switch (status) {
            case 301, 302, 303, 307, 308 ->
                    headers.firstValue("Location").filter(l -> !l.isEmpty()).isPresent();
            default -> false;
        };
    }

    private Optional<URI> target(HttpResponse<?> answer) throws UnsendableException {
        if (!isRedirect(answer.statusCode(), answer.headers())) {
            return Optional.empty();
        }
        String location = answer.headers().firstValue("Location").orElseThrow();
        try {
            return Optional.of(uri.resolve(Addresses.escaped(location)));
        } catch (IllegalArgumentException e) {
            throw new UnsendableException(
                    "it redirects to '%s', which is no address".formatted(location));
        }
    }

    private HttpCall redirected(HttpResponse<?> answer, URI target) {
        List<Field> next = new ArrayList<>(fields);
        if (!isWithin(host(target), host(uri))) {
            next.removeIf(Field::isForOneHost);
        }
        next.removeIf(field -> field.is("Referer"));
        if (!("https".equals(uri.getScheme()) && "http".equals(target.getScheme()))) {
            next.add(new Field("Referer", Addresses.withoutPassword(uri), false));
        }
        boolean same = answer.statusCode() == 307 || answer.statusCode() == 308;
        return same
                ? new HttpCall(method, target, next, body)
                : new HttpCall(method.equals("HEAD") ? method : "GET", target, next, new byte[0]);
    }

    private static String host(URI uri) {
        return String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
    }

    /** What is meant for one host is told to itself and to those below its name, as Go does. */
    private static boolean isWithin(String host, String other) {
        return host.equals(other) || host.endsWith("." + other);
    }

    private static String reason(@Nullable Throwable e) {
        if (e instanceof ConnectException connect) {
            if (connect.getCause() instanceof UnresolvedAddressException
                    || (connect.getCause() != null
                            && connect.getCause().getCause()
                                    instanceof UnresolvedAddressException)) {
                return "no such host";
            }
            return connect.getMessage() == null ? "connection refused" : connect.getMessage();
        }
        return e instanceof IOException && e.getMessage() != null
                ? e.getMessage()
                : String.valueOf(e);
    }
}
