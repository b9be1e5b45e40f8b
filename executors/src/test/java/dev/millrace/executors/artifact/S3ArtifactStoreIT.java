package dev.millrace.executors.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.executors.KeyValues;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.testkit.S3Server;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Against a real server. */
class S3ArtifactStoreIT extends ArtifactStoreContract {
    private static final KeyValues SECRETS =
            (namespace, name) ->
                    namespace.equals("argo") && name.equals("s3")
                            ? Optional.of(
                                    Map.of(
                                            "access",
                                            S3Server.ACCESS_KEY,
                                            "secret",
                                            S3Server.SECRET_KEY,
                                            "wrong",
                                            "not-the-right-one"))
                            : Optional.empty();

    private static S3Server server;
    private String bucket;

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Override
    protected ArtifactStore create() throws Exception {
        bucket = "b-" + UUID.randomUUID();
        server.makeBucket(bucket);
        ObjectNode tree = tree(server.endpoint(), bucket, "k");
        // Parts so small that the large file of the contract goes up in three.
        return new S3ArtifactStore(
                S3Connection.open(tree, new StoreSecrets(SECRETS, "argo")),
                bucket,
                tree,
                6 << 20,
                5 << 20);
    }

    private static ObjectNode tree(String endpoint, String bucket, String key) {
        ObjectNode s3 = Json.object();
        s3.put("endpoint", endpoint).put("insecure", true).put("bucket", bucket).put("key", key);
        s3.putObject("accessKeySecret").put("name", "s3").put("key", "access");
        s3.putObject("secretKeySecret").put("name", "s3").put("key", "secret");
        return s3;
    }

    private static Artifact artifact(ObjectNode s3) {
        ObjectNode tree = Json.object().put("name", "a");
        tree.set("s3", s3);
        return Json.convert(tree, Artifact.class);
    }

    private void write(ObjectNode s3) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");
        try (ArtifactStores stores = new ArtifactStores(folder, SECRETS);
                ArtifactPlace place = stores.open("argo", artifact(s3))) {
            place.store().write(place.key(), file, Cancellation.NONE);
        }
    }

    @Test
    void aMissingBucketIsToldOrMade() throws Exception {
        ObjectNode s3 = tree(server.endpoint(), "new-bucket", "k");
        assertThatThrownBy(() -> write(s3))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining("new-bucket")
                .hasMessageContaining("createBucketIfNotPresent");
        s3.putObject("createBucketIfNotPresent");
        write(s3);
        assertThat(server.has("new-bucket", "k")).isTrue();
    }

    @Test
    void wrongCredentialsAreToldWithoutThem() {
        ObjectNode s3 = tree(server.endpoint(), bucket, "k");
        s3.putObject("secretKeySecret").put("name", "s3").put("key", "wrong");
        assertThatThrownBy(() -> write(s3))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining("access was denied")
                .hasMessageContaining("accessKeySecret")
                .hasMessageNotContaining("not-the-right-one")
                .hasMessageNotContaining(S3Server.ACCESS_KEY);
    }

    @Test
    void aMissingSecretIsNamed() {
        ObjectNode s3 = tree(server.endpoint(), bucket, "k");
        s3.putObject("secretKeySecret").put("name", "other").put("key", "x");
        assertThatThrownBy(() -> write(s3))
                .hasMessage(
                        "secretKeySecret: there is no Secret other in namespace argo with a key x");
    }

    @Test
    void anUnreachableServerIsTriedAgainThenTold() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        assertThatThrownBy(() -> write(tree("127.0.0.1:" + port, bucket, "k")))
                .hasMessageContaining("cannot be reached")
                .hasMessageContaining("127.0.0.1:" + port)
                .hasMessageContaining("tried 5 times");
    }
}
