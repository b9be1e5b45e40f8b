package dev.millrace.eventsources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.ManifestKey;
import dev.millrace.testkit.TestBroker;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookTlsIT {

    @RegisterExtension static final TestBroker BROKER = new TestBroker();

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "RSA in PKCS#1"})
    void aPortWithACertificateSpeaksTls(String kind) throws Exception {
        KeyStore store = generate(kind.split(" ")[0]);
        byte[] key = store.getKey("k", "secret".toCharArray()).getEncoded();
        // Before the PKCS#1 structure stand 26 bytes that name the algorithm.
        String keyPem =
                kind.endsWith("PKCS#1")
                        ? pem("RSA PRIVATE KEY", Arrays.copyOfRange(key, 26, key.length))
                        : pem("PRIVATE KEY", key);
        Map<String, String> secrets = new ConcurrentHashMap<>();
        int port = RunningEventSources.freePort();
        try (RunningEventSources sources =
                new RunningEventSources(
                        BROKER.log(),
                        (namespace, name, k) -> Optional.ofNullable(secrets.get(name + "." + k)))) {
            ManifestKey source = sources.put(manifest(port));
            sources.awaitState(source, "e", "Failed");
            assertThat(sources.message(source, "e"))
                    .contains("there is no secret tls in namespace default with the key tls.crt");
            secrets.put("tls.tls.key", keyPem);
            secrets.put("tls.tls.crt", pem("CERTIFICATE", store.getCertificate("k").getEncoded()));
            sources.awaitState(source, "e", "Active");
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/e"))
                            .POST(BodyPublishers.ofString("1"))
                            .build();
            try (HttpClient client = HttpClient.newBuilder().sslContext(trusting(store)).build()) {
                assertThat(client.send(request, BodyHandlers.ofString()).body())
                        .isEqualTo("success");
            }
        }
    }

    private KeyStore generate(String algorithm) throws Exception {
        Path file = folder.resolve("k.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "k",
                                "-keyalg",
                                algorithm,
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost",
                                "-storepass",
                                "secret",
                                "-keystore",
                                file.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, "secret".toCharArray());
        }
        return store;
    }

    private static SSLContext trusting(KeyStore store) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("k", store.getCertificate("k"));
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    private static String pem(String type, byte[] der) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(type, Base64.getMimeEncoder().encodeToString(der), type);
    }

    private static String manifest(int port) {
        return """
        apiVersion: argoproj.io/v1alpha1
        kind: EventSource
        metadata: {name: tls}
        spec:
          webhook:
            e:
              endpoint: /e
              method: POST
              port: '%d'
              serverCertSecret: {name: tls, key: tls.crt}
              serverKeySecret: {name: tls, key: tls.key}
        """
                .formatted(port);
    }
}
