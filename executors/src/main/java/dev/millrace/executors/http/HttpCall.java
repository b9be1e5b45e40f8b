package dev.millrace.executors.http;

import dev.millrace.log.web.Redirect;
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

/** A request and the redirects that it is led through; the last answer counts. */
record HttpCall(String method, URI uri, List<Field> fields, byte[] body) {
    /** They belong to the connection, or follow from the body; the client sets them itself. */
    private static final Set<String> COMPUTED =
            Set.of(
                    "connection",
                    "content-length",
                    "expect",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    /**
     * A header.
     *
     * @param secret whether the value is a Secret's, which is told to no other host
     */
    record Field(String name, String value, boolean secret) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
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
            for (int redirects = 0; redirects <= Redirect.MOST; redirects++) {
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
                Optional<Redirect> redirect = next.redirect(answer);
                if (redirect.isEmpty()) {
                    return new Answer.Response(
                            answer.statusCode(), answer.headers(), answer.body());
                }
                next = next.redirected(redirect.get());
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
        return new Answer.None("stopped after %d redirects".formatted(Redirect.MOST));
    }

    private static BodyHandler<byte[]> body(int maxBodyBytes) {
        return info ->
                Redirect.is(info.statusCode(), info.headers())
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

    private Optional<Redirect> redirect(HttpResponse<?> answer) throws UnsendableException {
        try {
            return Redirect.of(uri, answer.statusCode(), answer.headers());
        } catch (IllegalArgumentException e) {
            throw new UnsendableException(String.valueOf(e.getMessage()));
        }
    }

    private HttpCall redirected(Redirect redirect) {
        List<Field> next = new ArrayList<>(fields);
        next.removeIf(field -> !redirect.takes(field.name(), field.secret()));
        redirect.referer().ifPresent(from -> next.add(new Field("Referer", from, false)));
        return new HttpCall(
                redirect.method(method),
                redirect.to(),
                next,
                redirect.keeps() ? body : new byte[0]);
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
