package dev.millrace.executors.artifact;

import dev.millrace.executors.KeyValues;
import dev.millrace.schemas.workflow.Artifact;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;

/** Finds the store that an artifact means, and opens it with the secrets that it names. */
public final class ArtifactStores implements AutoCloseable {
    private final Path local;
    private final KeyValues secrets;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .connectTimeout(Duration.ofSeconds(10))
                    // Followed by the store, which knows what may go along.
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();

    /**
     * @param local the folder of the local store; it need not exist
     * @param secrets asked when a store is opened; values are not kept
     */
    public ArtifactStores(Path local, KeyValues secrets) {
        this.local = local;
        this.secrets = secrets;
    }

    /**
     * Opens the store of an artifact.
     *
     * @param namespace whose secrets the location refers to
     * @throws ArtifactException if the location is incomplete, of an unknown kind, or names a
     *     secret that is not there
     */
    public ArtifactPlace open(String namespace, Artifact artifact) throws ArtifactException {
        StoreSecrets own = new StoreSecrets(secrets, namespace);
        return switch (ArtifactLocation.of(artifact)) {
            case ArtifactLocation.Local l ->
                    new ArtifactPlace(new LocalArtifactStore(local), l.key());
            case ArtifactLocation.S3 s3 ->
                    new ArtifactPlace(
                            new S3ArtifactStore(
                                    S3Connection.open(s3.tree(), own), s3.bucket(), s3.tree()),
                            s3.key());
            case ArtifactLocation.Http h ->
                    new ArtifactPlace(HttpArtifactStore.of(h, own, http), "");
            case ArtifactLocation.Git git -> new ArtifactPlace(new GitArtifactStore(git, own), "");
            case ArtifactLocation.Raw raw ->
                    new ArtifactPlace(new RawArtifactStore(raw.data()), "");
        };
    }

    /**
     * Removes a stored artifact; nothing happens if it is gone.
     *
     * @throws ArtifactException why it cannot be removed, and what to do
     */
    public void delete(String namespace, Artifact artifact) throws ArtifactException {
        try (ArtifactPlace place = open(namespace, artifact)) {
            place.store().delete(place.key());
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
