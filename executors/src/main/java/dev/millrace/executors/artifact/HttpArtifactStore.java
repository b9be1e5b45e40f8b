package dev.millrace.executors.artifact;

import dev.millrace.log.web.Redirect;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** An address of the web: read with GET, written with PUT. */
final class HttpArtifactStore implements ArtifactStore {
    private static final Duration FIRST_BYTE = Duration.ofMinutes(2);

    /** The JDK's client sets these itself and refuses them from others. */
    private static final Set<String> NOT_OURS =
            Set.of("connection", "content-length", "expect", "host", "upgrade");

    private final URI address;
    private final Map<String, String> headers;
    private final HttpClient client;

    private HttpArtifactStore(URI address, Map<String, String> headers, HttpClient client) {
        this.address = address;
        this.headers = headers;
        this.client = client;
    }

    static HttpArtifactStore of(
            ArtifactLocation.Http location, StoreSecrets secrets, HttpClient client)
            throws ArtifactException {
        URI address = uri(location.url());
        JsonNode auth = location.tree().path("auth");
        StoreSecrets.refuse(auth, "http.auth", "clientCert", "oauth2");
        Map<String, String> headers = new LinkedHashMap<>();
        for (JsonNode header : location.tree().path("headers")) {
            String name = header.path("name").asString("");
            if (NOT_OURS.contains(name.toLowerCase(Locale.ROOT))) {
                throw new ArtifactException(
                        "http.headers: %s is set by the client itself; leave it out"
                                .formatted(name));
            }
            headers.put(name, header.path("value").asString(""));
        }
        JsonNode basic = auth.path("basicAuth");
        Optional<String> user = secrets.value(basic, "usernameSecret");
        Optional<String> password = secrets.value(basic, "passwordSecret");
        if (user.isPresent() || password.isPresent()) {
            String pair = user.orElse("") + ":" + password.orElse("");
            headers.put(
                    "Authorization",
                    "Basic "
                            + Base64.getEncoder()
                                    .encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        }
        return new HttpArtifactStore(address, headers, client);
    }

    private static URI uri(String url) throws ArtifactException {
        try {
            URI uri = new URI(url);
            if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            throw new ArtifactException(
                    "http.url '%s' is no address: %s".formatted(url, e.getReason()), e);
        }
        throw new ArtifactException(
                "http.url '%s' must begin with http:// or https:// and a host".formatted(url));
    }

    /** Without what may be a password or a signed token. */
    @Override
    public String place(String key) {
        return "%s://%s%s%s"
                .formatted(
                        address.getScheme(),
                        address.getHost(),
                        address.getPort() < 0 ? "" : ":" + address.getPort(),
                        address.getRawPath() == null ? "" : address.getRawPath());
    }

    @Override
    public Content look(String key) {
        return Content.FILE;
    }

    @Override
    public InputStream open(String key) throws ArtifactException {
        HttpRequest get = request(address, true).GET().build();
        for (int i = 0; i <= Redirect.MOST; i++) {
            HttpResponse<InputStream> answer = send(get, HttpResponse.BodyHandlers.ofInputStream());
            Optional<URI> next = redirect(answer);
            if (next.isEmpty()) {
                if (answer.statusCode() / 100 != 2) {
                    closeQuietly(answer.body());
                    throw refused(answer.statusCode(), "GET");
                }
                return answer.body();
            }
            closeQuietly(answer.body());
            get = request(next.get(), sameServer(next.get())).GET().build();
        }
        throw new ArtifactException(
                "%s redirects more than %d times".formatted(place(""), Redirect.MOST));
    }

    private HttpRequest.Builder request(URI uri, boolean withHeaders) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(FIRST_BYTE);
        if (withHeaders) {
            headers.forEach(request::setHeader);
        }
        return request;
    }

    /** What was meant for one server (a password, a token) is not shown to another. */
    private boolean sameServer(URI other) {
        return address.getScheme().equals(other.getScheme())
                && address.getHost().equalsIgnoreCase(other.getHost())
                && address.getPort() == other.getPort();
    }

    private Optional<URI> redirect(HttpResponse<?> answer) throws ArtifactException {
        Optional<Redirect> redirect;
        try {
            redirect = Redirect.of(answer.uri(), answer.statusCode(), answer.headers());
        } catch (IllegalArgumentException e) {
            throw new ArtifactException("%s: %s".formatted(place(""), e.getMessage()), e);
        }
        if (redirect.isEmpty()) {
            return Optional.empty();
        }
        URI next = uri(redirect.get().to().toString());
        if (redirect.get().leavesEncryption()) {
            throw new ArtifactException(
                    "%s redirects from https to http; name the final address".formatted(place("")));
        }
        return Optional.of(next);
    }

    @Override
    public List<String> list(String key, int most) {
        return List.of();
    }

    @Override
    public void write(String key, Path file, Cancellation cancellation) throws ArtifactException {
        try {
            Retries.DEFAULT.call(
                    cancellation,
                    () -> {
                        put(file);
                        return file;
                    });
        } catch (IOException e) {
            throw new ArtifactException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private void put(Path file) throws ArtifactException, FileNotFoundException {
        URI at = address;
        for (int i = 0; i <= Redirect.MOST; i++) {
            HttpRequest put =
                    request(at, sameServer(at))
                            .PUT(HttpRequest.BodyPublishers.ofFile(file))
                            .build();
            HttpResponse<Void> answer = send(put, HttpResponse.BodyHandlers.discarding());
            Optional<URI> next = redirect(answer);
            if (next.isEmpty()) {
                if (answer.statusCode() / 100 != 2) {
                    throw refused(answer.statusCode(), "PUT");
                }
                return;
            }
            at = next.get();
        }
        throw new ArtifactException(
                "%s redirects more than %d times".formatted(place(""), Redirect.MOST));
    }

    private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body)
            throws ArtifactException {
        try {
            return client.send(request, body);
        } catch (IOException e) {
            throw ArtifactException.passing("%s cannot be reached: %s".formatted(place(""), e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ArtifactException.passing("interrupted while waiting for " + place(""), e);
        }
    }

    private ArtifactException refused(int status, String method) {
        return switch (status) {
            case 404, 410 -> new ArtifactMissingException(place(""));
            case 401, 403 ->
                    new ArtifactException(
                            "%s of %s was refused with status %d; look at http.auth and http.headers"
                                    .formatted(method, place(""), status));
            case 408, 425, 429, 500, 502, 503, 504 ->
                    ArtifactException.passing(
                            "%s of %s was answered with status %d"
                                    .formatted(method, place(""), status),
                            null);
            default ->
                    new ArtifactException(
                            "%s of %s was answered with status %d"
                                    .formatted(method, place(""), status));
        };
    }

    private static void closeQuietly(InputStream body) throws ArtifactException {
        try {
            body.close();
        } catch (IOException e) {
            throw ArtifactException.passing("the connection was lost: " + e.getMessage(), e);
        }
    }

    @Override
    public void delete(String key) throws ArtifactException {
        throw new ArtifactException("http artifacts cannot be deleted");
    }

    @Override
    public void close() {}
}
