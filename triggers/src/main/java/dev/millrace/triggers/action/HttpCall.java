package dev.millrace.triggers.action;

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
 * A request and the redirects that it is led through: 301 to 303 go on with GET and without a body,
 * 307 and 308 as they were, ten at most; the last status counts.
 *
 * @param timeout for all of it, the body of the answer included
 */
record HttpCall(
        String method, URI uri, Map<String, String> headers, byte[] body, Duration timeout) {

    private static final int MOST_REDIRECTS = 10;

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
        for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
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
            HttpCall redirected = next.redirected(response);
            if (redirected == null) {
                return new Answer.Status(response.statusCode());
            }
            next = redirected;
        }
        return new Answer.None(method + " " + uri + ": stopped after 10 redirects");
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

    private @Nullable HttpCall redirected(HttpResponse<Void> response) {
        Optional<String> location = response.headers().firstValue("Location");
        if (location.isEmpty()) {
            return null;
        }
        int status = response.statusCode();
        boolean keeps = status == 307 || status == 308;
        if (!keeps && status != 301 && status != 302 && status != 303) {
            return null;
        }
        URI target = uri.resolve(location.get());
        Map<String, String> next = new LinkedHashMap<>(headers);
        if (!String.valueOf(target.getHost()).equalsIgnoreCase(String.valueOf(uri.getHost()))) {
            // What is meant for one host is not told to another.
            next.keySet()
                    .removeIf(
                            h ->
                                    h.equalsIgnoreCase("Authorization")
                                            || h.equalsIgnoreCase("Cookie")
                                            || h.equalsIgnoreCase("Host"));
        }
        if (!("https".equals(uri.getScheme()) && "http".equals(target.getScheme()))) {
            next.put("Referer", uri.toString());
        }
        return keeps
                ? new HttpCall(method, target, next, body, timeout)
                : new HttpCall(
                        method.equals("HEAD") ? method : "GET", target, next, new byte[0], timeout);
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
