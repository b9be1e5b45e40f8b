package dev.millrace.testkit.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One etcd and one kube-apiserver on free ports of this host, with an empty temporary folder. */
final class ApiServer implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(2);

    private final Path programs;
    private final Path folder;
    private final String token = UUID.randomUUID().toString();
    private final int etcdPort = freePort();
    private final int port = freePort();
    private final Process etcd;
    private @Nullable Process server;

    /**
     * Starts both, and waits until the API server is ready.
     *
     * @param programs the folder with {@code etcd} and {@code kube-apiserver}
     * @throws IllegalStateException if it does not become ready; the message has the end of its log
     */
    ApiServer(Path programs) throws IOException {
        this.programs = programs;
        this.folder = Files.createTempDirectory("millrace-cluster");
        writeKeys();
        this.etcd = startEtcd();
        up();
    }

    /** As the administrator. */
    Config config() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + port)
                .withOauthToken(token)
                .withTrustCerts(true)
                .build();
    }

    /** Takes the API server away. What it stored stays. */
    void down() throws IOException {
        Process running = server;
        if (running != null) {
            OwnedProcess.kill(running);
            server = null;
        }
    }

    /** Brings the API server back on the same port, and waits until it is ready. */
    void up() throws IOException {
        if (server != null) {
            return;
        }
        Path log = folder.resolve("kube-apiserver.log");
        Process starting =
                OwnedProcess.of(
                                List.of(
                                        programs.resolve("kube-apiserver").toString(),
                                        "--etcd-servers=http://127.0.0.1:" + etcdPort,
                                        "--bind-address=127.0.0.1",
                                        "--secure-port=" + port,
                                        // It makes its own serving certificate there.
                                        "--cert-dir=" + folder.resolve("certificates"),
                                        "--token-auth-file=" + folder.resolve("tokens.csv"),
                                        "--service-account-issuer=https://kubernetes.default.svc",
                                        "--service-account-key-file=" + folder.resolve("sa.pub"),
                                        "--service-account-signing-key-file="
                                                + folder.resolve("sa.key"),
                                        "--service-cluster-ip-range=10.0.0.0/24",
                                        "--authorization-mode=RBAC",
                                        // No controller makes the service accounts it asks for.
                                        "--disable-admission-plugins=ServiceAccount",
                                        "--endpoint-reconciler-type=none",
                                        "--kubelet-preferred-address-types=InternalIP",
                                        "--allow-privileged=true"))
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        server = starting;
        Config once = new ConfigBuilder(config()).withRequestRetryBackoffLimit(0).build();
        try (KubernetesClient client = new KubernetesClientBuilder().withConfig(once).build()) {
            Readiness.await(
                    START,
                    () -> "ok".equals(String.valueOf(client.raw("/readyz")).strip()),
                    () -> starting.isAlive() && etcd.isAlive(),
                    () -> "kube-apiserver did not become ready; its log ends so:\n" + endOf(log));
        }
    }

    private Process startEtcd() throws IOException {
        String clients = "http://127.0.0.1:" + etcdPort;
        String peers = "http://127.0.0.1:" + freePort();
        return OwnedProcess.of(
                        List.of(
                                programs.resolve("etcd").toString(),
                                "--data-dir=" + folder.resolve("etcd"),
                                // Tests do not outlive a power loss.
                                "--unsafe-no-fsync",
                                "--listen-client-urls=" + clients,
                                "--advertise-client-urls=" + clients,
                                "--listen-peer-urls=" + peers,
                                "--initial-advertise-peer-urls=" + peers,
                                "--initial-cluster=default=" + peers))
                .redirectOutput(folder.resolve("etcd.log").toFile())
                .start();
    }

    private void writeKeys() throws IOException {
        Files.writeString(
                folder.resolve("tokens.csv"), token + ",admin,admin,\"system:masters\"\n");
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            writePem("sa.pub", "PUBLIC KEY", pair.getPublic());
            writePem("sa.key", "PRIVATE KEY", pair.getPrivate());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has RSA", e);
        }
    }

    private void writePem(String file, String label, Key key) throws IOException {
        Files.writeString(
                folder.resolve(file),
                "-----BEGIN %s-----%n%s%n-----END %s-----%n"
                        .formatted(
                                label,
                                Base64.getMimeEncoder().encodeToString(key.getEncoded()),
                                label));
    }

    private static String endOf(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        down();
        OwnedProcess.kill(etcd);
        deleteTree(folder);
    }

    /** Deletes a folder with all in it, if it is there. */
    static void deleteTree(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
