package dev.millrace.executors.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A Git repository, brought as a working tree with its history. */
final class GitArtifactStore implements ArtifactStore {
    private final ArtifactLocation.Git location;
    private final StoreSecrets secrets;

    GitArtifactStore(ArtifactLocation.Git location, StoreSecrets secrets) {
        this.location = location;
        this.secrets = secrets;
    }

    /** Without a password that stands in the address. */
    @Override
    public String place(String key) {
        String revision = location.tree().path("revision").asString("");
        return "Git repository %s%s"
                .formatted(
                        location.repository().replaceFirst("^(\\w+://)[^/@]*@", "$1"),
                        revision.isEmpty() ? "" : " at " + revision);
    }

    @Override
    public Content look(String key) {
        return Content.FOLDER;
    }

    @Override
    public void fetch(String key, Path target, Cancellation cancellation)
            throws ArtifactException, IOException {
        JsonNode tree = location.tree();
        StoreSecrets.refuse(tree, "git", "insecureSkipTLS");
        GitClone clone =
                new GitClone(
                        location.repository(),
                        place(key),
                        tree,
                        GitCredentials.of(tree, secrets),
                        cancellation);
        Retries.DEFAULT.call(
                cancellation,
                () -> {
                    clone.into(target);
                    return target;
                });
    }

    @Override
    public InputStream open(String key) throws ArtifactException {
        throw notKept();
    }

    @Override
    public List<String> list(String key, int most) throws ArtifactException {
        throw notKept();
    }

    private ArtifactException notKept() {
        return new ArtifactException(
                place("") + " is brought to steps only; clone it to look into it");
    }

    @Override
    public void write(String key, Path file, Cancellation cancellation) throws ArtifactException {
        throw new ArtifactException(
                "git artifacts are inputs only; give the output a place in a store, or none for the artifact repository");
    }

    @Override
    public void delete(String key) throws ArtifactException {
        throw new ArtifactException("git artifacts cannot be deleted");
    }

    @Override
    public void close() {}
}
