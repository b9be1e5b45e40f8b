package dev.millrace.testkit.cluster;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes API server for tests: with the system property {@code cluster} the one that {@code
 * KUBECONFIG} names, else one of our own, from the programs in {@code KUBEBUILDER_ASSETS}.
 */
public final class ClusterFixture implements AutoCloseable {
    private final @Nullable ApiServer own;
    private final Config config;
    private final KubernetesClient client;

    private ClusterFixture(@Nullable ApiServer own, Config config) {
        this.own = own;
        this.config = config;
        this.client = new KubernetesClientBuilder().withConfig(config).build();
    }

    /**
     * Why there is no API server to be had; empty if there is.
     *
     * @param environment the environment variables
     * @param foreign whether the system property {@code cluster} is set
     */
    public static Optional<String> reasonAgainst(Map<String, String> environment, boolean foreign) {
        if (foreign) {
            return environment.containsKey("KUBECONFIG")
                    ? Optional.empty()
                    : Optional.of("-Dcluster is given, but KUBECONFIG is not set");
        }
        String assets = environment.get("KUBEBUILDER_ASSETS");
        if (assets == null) {
            return Optional.of(
                    "no Kubernetes API server: set KUBEBUILDER_ASSETS to a folder with etcd and"
                            + " kube-apiserver, or use -Dcluster with KUBECONFIG");
        }
        for (String program : new String[] {"etcd", "kube-apiserver"}) {
            if (!Files.isExecutable(Path.of(assets, program))) {
                return Optional.of(
                        "KUBEBUILDER_ASSETS is %s, but there is no program %s in it"
                                .formatted(assets, program));
            }
        }
        return Optional.empty();
    }

    /**
     * Connects or starts, as {@link #reasonAgainst} has it.
     *
     * @throws IllegalStateException if there is none to be had, or it does not become ready
     */
    public static ClusterFixture start(Map<String, String> environment, boolean foreign)
            throws IOException {
        Optional<String> against = reasonAgainst(environment, foreign);
        if (against.isPresent()) {
            throw new IllegalStateException(against.get());
        }
        if (foreign) {
            Path file = Path.of(String.valueOf(environment.get("KUBECONFIG")));
            return new ClusterFixture(null, Config.fromKubeconfig(file.toFile()));
        }
        ApiServer server =
                new ApiServer(Path.of(environment.getOrDefault("KUBEBUILDER_ASSETS", "")));
        return new ClusterFixture(server, server.config());
    }

    /** For a client of the caller's own. */
    public Config config() {
        return config;
    }

    /** As the administrator; closed with the fixture. */
    public KubernetesClient client() {
        return client;
    }

    /** Whether the API server is ours: no controllers and no kubelets but those of the tests. */
    public boolean isOwn() {
        return own != null;
    }

    /** A kubeconfig file's text for {@code kubectl} and the like. */
    public String kubeconfig() {
        return """
        apiVersion: v1
        kind: Config
        current-context: test
        contexts:
        - name: test
          context: {cluster: test, user: admin}
        clusters:
        - name: test
          cluster: {server: "%s", insecure-skip-tls-verify: true}
        users:
        - name: admin
          user: {token: "%s"}
        """
                .formatted(config.getMasterUrl(), ownServer().config().getOauthToken());
    }

    /** Makes a namespace with a name of its own and its service account {@code default}. */
    public String newNamespace(String prefix) {
        String name = prefix + "-" + UUID.randomUUID().toString().substring(0, 8);
        client.namespaces()
                .resource(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .endMetadata()
                                .build())
                .create();
        if (own != null) {
            client.serviceAccounts()
                    .inNamespace(name)
                    .resource(
                            new ServiceAccountBuilder()
                                    .withNewMetadata()
                                    .withName("default")
                                    .endMetadata()
                                    .build())
                    .create();
        }
        return name;
    }

    /** Takes the API server away; what it stored stays. Only one of our own. */
    public void down() throws IOException {
        ownServer().down();
    }

    /** Brings the API server back, and waits until it is ready. */
    public void up() throws IOException {
        ownServer().up();
    }

    private ApiServer ownServer() {
        if (own == null) {
            throw new IllegalStateException(
                    "this needs an API server of our own: leave -Dcluster out");
        }
        return own;
    }

    @Override
    public void close() throws IOException {
        client.close();
        if (own != null) {
            own.close();
        }
    }
}
