package dev.millrace.triggers.action;

import dev.millrace.log.web.Redirect;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A request and the redirects that it is led through; the last status counts.
 *
 * @param timeout for all of it, the body of the answer included
 */
record HttpCall(
        String method, URI uri, Map<String, String> headers, byte[] body, Duration timeout) {

    /** What came of it. */
    sealed interface Answer {
        record Status(int status) implements Answer {}

        /** Nobody answered in time. */
        record None(String message) implements Answer {}

        /** The request cannot be made. */
        record Unsendable(String message) implements Answer {}
    }

    Answer send(HttpClient client) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        HttpCall next = this;
        for (int redirects = 0; redirects <= Redirect.MOST; redirects++) {
            HttpResponse<Void> response;
            try {
                response = next.once(client, deadline);
            } catch (IllegalArgumentException e) {
                return new Answer.Unsendable(
                        method + " " + next.uri + " cannot be sent: " + e.getMessage());
            } catch (TimeoutException e) {
                return new Answer.None(
                        method
                                + " "
                                + next.uri
                                + ": no answer within "
                                + timeout.toSeconds()
                                + " s");
            } catch (ExecutionException e) {
                return new Answer.None(method + " " + next.uri + ": " + reason(e.getCause()));
            }
            Optional<Redirect> redirect;
            try {
                redirect = Redirect.of(next.uri, response.statusCode(), response.headers());
            } catch (IllegalArgumentException e) {
                return new Answer.None(method + " " + next.uri + ": " + e.getMessage());
            }
            if (redirect.isEmpty()) {
                return new Answer.Status(response.statusCode());
            }
            next = next.redirected(redirect.get());
        }
        return new Answer.None(
                "%s %s: stopped after %d redirects".formatted(method, uri, Redirect.MOST));
    }

    private HttpResponse<Void> once(HttpClient client, long deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (body.length > 0) {
            request.method(method, BodyPublishers.ofByteArray(body));
        } else if (method.equals("GET")) {
            // Unlike method("GET", noBody()) it sends no Content-Length, which some receivers
            // refuse.
            request.GET();
        } else {
            request.method(method, BodyPublishers.noBody());
        }
        headers.forEach(request::setHeader);
        CompletableFuture<HttpResponse<Void>> response =
                client.sendAsync(request.build(), BodyHandlers.discarding());
        try {
            return response.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } finally {
            response.cancel(true);
        }
    }

    private HttpCall redirected(Redirect redirect) {
        Map<String, String> next = new LinkedHashMap<>(headers);
        next.keySet().removeIf(header -> !redirect.takes(header, false));
        redirect.referer().ifPresent(from -> next.put("Referer", from));
        return new HttpCall(
                redirect.method(method),
                redirect.to(),
                next,
                redirect.keeps() ? body : new byte[0],
                timeout);
    }

    private static String reason(@Nullable Throwable e) {
        if (e instanceof java.net.ConnectException) {
            return "connection refused";
        }
        return e instanceof IOException && e.getMessage() != null
                ? e.getMessage()
                : String.valueOf(e);
    }
}
