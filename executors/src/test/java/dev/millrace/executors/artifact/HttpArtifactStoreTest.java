package dev.millrace.executors.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.executors.KeyValues;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Artifact;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a real web server. */
@Timeout(30)
class HttpArtifactStoreTest {
    private static final KeyValues SECRETS =
            (_, name) ->
                    name.equals("web")
                            ? Optional.of(Map.of("user", "anna", "password", "s3cr3t"))
                            : Optional.empty();
    private static final String AUTH =
            ",'auth':{'basicAuth':{'usernameSecret':{'name':'web','key':'user'},'passwordSecret':{'name':'web','key':'password'}}}";

    @TempDir Path folder;
    private HttpServer server;
    private HttpServer other;
    private ArtifactStores stores;
    private ArtifactTransfer transfer;
    private final Map<String, String> got = new ConcurrentHashMap<>();
    private final AtomicInteger busy = new AtomicInteger();

    @BeforeEach
    void start() throws Exception {
        server = server();
        other = server();
        server.createContext("/file", e -> answer(e, 200, "content"));
        server.createContext("/private", this::onlyForAnna);
        server.createContext("/here", e -> redirect(e, "/private"));
        server.createContext("/away", e -> redirect(e, url(other) + "/seen"));
        server.createContext("/loop", e -> redirect(e, "/loop"));
        server.createContext("/down", e -> answer(e, busy.getAndIncrement() < 2 ? 503 : 200, "up"));
        server.createContext("/broken", this::endsEarly);
        server.createContext("/put", this::take);
        other.createContext("/seen", e -> answer(e, 200, String.valueOf(authorization(e))));
        stores = new ArtifactStores(folder.resolve("store"), SECRETS);
        transfer =
                new ArtifactTransfer(stores, "argo", folder.resolve("scratch"), Cancellation.NONE);
    }

    private static HttpServer server() throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return server;
    }

    @AfterEach
    void stop() {
        stores.close();
        server.stop(0);
        other.stop(0);
    }

    private static String url(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static void answer(HttpExchange e, int status, String text) throws java.io.IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        e.sendResponseHeaders(status, bytes.length);
        try (var out = e.getResponseBody()) {
            out.write(bytes);
        }
    }

    private static void redirect(HttpExchange e, String to) throws java.io.IOException {
        e.getResponseHeaders().set("Location", to);
        answer(e, 302, "");
    }

    private static String authorization(HttpExchange e) {
        return e.getRequestHeaders().getFirst("Authorization");
    }

    private void onlyForAnna(HttpExchange e) throws java.io.IOException {
        boolean anna = "Basic YW5uYTpzM2NyM3Q=".equals(authorization(e));
        answer(
                e,
                anna ? 200 : 401,
                anna ? "for anna " + e.getRequestHeaders().getFirst("X-Test") : "no");
    }

    /** Says how long it is, and breaks off: twice in the middle, then comes whole. */
    private void endsEarly(HttpExchange e) throws java.io.IOException {
        boolean whole = busy.getAndIncrement() >= 2;
        e.sendResponseHeaders(200, 10);
        e.getResponseBody()
                .write((whole ? "0123456789" : "01234").getBytes(StandardCharsets.UTF_8));
        e.getResponseBody().flush();
        e.close();
    }

    private void take(HttpExchange e) throws java.io.IOException {
        got.put(
                e.getRequestMethod(),
                new String(e.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        answer(e, 201, "");
    }

    private Artifact artifact(String path, String more) {
        return Json.mapper()
                .readValue(
                        "{'name':'a','archive':{'none':{}},'http':{'url':'%s%s'%s}}"
                                .formatted(url(server), path, more)
                                .replace('\'', '"'),
                        Artifact.class);
    }

    private String bring(String path, String more) throws Exception {
        transfer.bring(artifact(path, more), folder.resolve("target"));
        return Files.readString(folder.resolve("target"));
    }

    @Test
    void aFileIsBrought() throws Exception {
        assertThat(bring("/file", "")).isEqualTo("content");
    }

    @Test
    void headersAndPasswordGoAlongAlsoOverARedirectOfTheSameServer() throws Exception {
        String more = ",'headers':[{'name':'X-Test','value':'yes'}]" + AUTH;
        assertThat(bring("/private", more)).isEqualTo("for anna yes");
        assertThat(bring("/here", more)).isEqualTo("for anna yes");
    }

    @Test
    void anotherServerDoesNotSeeThePassword() throws Exception {
        assertThat(bring("/away", AUTH)).isEqualTo("null");
    }

    @Test
    void aRefusalNamesAddressAndCureAndNoSecret() {
        assertThatThrownBy(() -> bring("/private?token=s3cr3t", ""))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining(url(server) + "/private ")
                .hasMessageContaining("401")
                .hasMessageContaining("http.auth")
                .hasMessageNotContaining("s3cr3t");
    }

    @Test
    void whatIsNotThereIsMissing() {
        assertThatThrownBy(() -> bring("/none", "")).isInstanceOf(ArtifactMissingException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/down", "/broken"})
    void whatPassesIsTriedAgainFromTheBeginning(String path) throws Exception {
        assertThat(bring(path, "")).isEqualTo(path.equals("/down") ? "up" : "0123456789");
        assertThat(busy).hasValue(3);
    }

    @Test
    void redirectsInACircleEnd() {
        assertThatThrownBy(() -> bring("/loop", "")).hasMessageContaining("redirects more than 10");
    }

    @Test
    void anOutputIsPut() throws Exception {
        Path file = Files.writeString(folder.resolve("out"), "result");
        transfer.store(artifact("/put", ""), file);
        assertThat(got).containsExactly(Map.entry("PUT", "result"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "ftp://host/x", "nonsense", "http:///x"})
    void otherAddressesAreRefused(String url) {
        Artifact artifact =
                Json.mapper()
                        .readValue(
                                "{\"name\":\"a\",\"http\":{\"url\":\"" + url + "\"}}",
                                Artifact.class);
        assertThatThrownBy(() -> transfer.bring(artifact, folder.resolve("x")))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining("http.url");
    }
}
