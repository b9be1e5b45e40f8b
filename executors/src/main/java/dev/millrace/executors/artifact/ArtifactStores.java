package dev.millrace.executors.artifact;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.http.HttpClients;
import dev.millrace.schemas.workflow.Artifact;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Finds the store that an artifact means, and opens it with the secrets that it names. */
public final class ArtifactStores implements AutoCloseable {
    static {
        HttpClients.prepare();
    }

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
     * The keys of all files of a folder, in order, each as it is written in an artifact of the same
     * store.
     *
     * @param folder where it lies; no key means the whole store
     * @param most so many can be listed
     * @throws ArtifactException if there are more, or the store is of a kind that has no folders,
     *     or cannot be read
     */
    public List<String> list(String namespace, Artifact folder, int most) throws ArtifactException {
        StoreSecrets own = new StoreSecrets(secrets, namespace);
        JsonNode s3 = folder.s3();
        JsonNode local = folder.local();
        if (local != null) {
            try (ArtifactStore store = new LocalArtifactStore(this.local)) {
                return list(store, local.path("key").asString(""), most);
            }
        }
        if (s3 != null) {
            String bucket = s3.path("bucket").asString("");
            if (bucket.isEmpty()) {
                throw new ArtifactException("s3.bucket is missing");
            }
            try (ArtifactStore store =
                    new S3ArtifactStore(S3Connection.open(s3, own), bucket, s3)) {
                return list(store, s3.path("key").asString(""), most);
            }
        }
        throw new ArtifactException(
                ArtifactLocation.isNamed(folder)
                        ? "its store cannot be listed; local and s3 can"
                        : "it says nowhere where it lies, and no artifact repository is configured (setting artifactRepository)");
    }

    private static List<String> list(ArtifactStore store, String key, int most)
            throws ArtifactException {
        List<String> names = store.list(key, most + 1);
        if (names.size() > most) {
            throw new ArtifactException(
                    "%s has more than %d files, which is the most that can be listed; name a folder further down"
                            .formatted(store.place(key), most));
        }
        return names.stream().map(name -> Keys.join(key, name)).toList();
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
