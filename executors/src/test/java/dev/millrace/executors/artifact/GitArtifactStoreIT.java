package dev.millrace.executors.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.executors.KeyValues;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Artifact;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.revwalk.RevCommit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against real servers, over HTTP and SSH. */
@Timeout(60)
class GitArtifactStoreIT {
    @TempDir Path folder;
    private final Map<String, String> secret = new HashMap<>();
    private Git repository;
    private RevCommit oldest;
    private RevCommit first;
    private GitServer server;
    private ArtifactStores stores;
    private ArtifactTransfer transfer;

    @BeforeEach
    void start() throws Exception {
        Path served = Files.createDirectories(folder.resolve("served"));
        repository =
                Git.init()
                        .setInitialBranch("main")
                        .setDirectory(served.resolve("repo").toFile())
                        .call();
        oldest = commit("zero");
        first = commit("one");
        repository.tag().setName("v1").setAnnotated(true).setMessage("v1").setSigned(false).call();
        commit("two");
        repository.checkout().setCreateBranch(true).setName("feature").call();
        commit("three");
        repository.checkout().setName("main").call();
        server = GitServer.start(served);
        secret.putAll(Map.of("user", GitServer.USER, "password", GitServer.PASSWORD));
        KeyValues secrets =
                (_, name) -> name.equals("git") ? Optional.of(secret) : Optional.empty();
        stores = new ArtifactStores(folder.resolve("store"), secrets);
        transfer =
                new ArtifactTransfer(stores, "argo", folder.resolve("scratch"), Cancellation.NONE);
    }

    private RevCommit commit(String text) throws Exception {
        Path tree = repository.getRepository().getWorkTree().toPath();
        Files.writeString(tree.resolve("file"), text);
        repository.add().addFilepattern(".").call();
        return repository
                .commit()
                .setMessage(text)
                .setSign(false)
                .setAuthor("a", "a@example.com")
                .setCommitter("a", "a@example.com")
                .call();
    }

    @AfterEach
    void stop() throws Exception {
        stores.close();
        server.close();
        repository.close();
    }

    private Path bring(String repo, String more) throws Exception {
        Artifact artifact =
                Json.mapper()
                        .readValue(
                                "{'name':'a','git':{'repo':'%s'%s}}"
                                        .formatted(repo, more)
                                        .replace('\'', '"'),
                                Artifact.class);
        Path target = folder.resolve("target");
        transfer.bring(artifact, target);
        return target;
    }

    private String file(String more) throws Exception {
        return Files.readString(bring(server.http() + "/repo", more).resolve("file"));
    }

    private static int commits(Path clone) throws Exception {
        try (Git git = Git.open(clone.toFile())) {
            int count = 0;
            for (RevCommit _ : git.log().call()) {
                count++;
            }
            return count;
        }
    }

    @Test
    void theDefaultBranchIsBroughtWithItsHistory() throws Exception {
        assertThat(file("")).isEqualTo("two");
        assertThat(commits(folder.resolve("target"))).isEqualTo(3);
    }

    @Test
    void aRevisionIsABranchATagOrACommit() throws Exception {
        assertThat(file(",'revision':'feature'")).isEqualTo("three");
        try (Git git = Git.open(folder.resolve("target").toFile())) {
            assertThat(git.getRepository().getBranch()).isEqualTo("feature");
        }
        assertThat(file(",'revision':'v1'")).isEqualTo("one");
        assertThat(file(",'revision':'" + first.name() + "'")).isEqualTo("one");
        assertThat(file(",'revision':'" + first.name().substring(0, 8) + "'")).isEqualTo("one");
        assertThat(file(",'branch':'feature'")).isEqualTo("three");
        assertThat(file(",'branch':'feature','singleBranch':true")).isEqualTo("three");
    }

    @Test
    void aDepthBringsSoManyCommits() throws Exception {
        assertThat(file(",'depth':1")).isEqualTo("two");
        assertThat(commits(folder.resolve("target"))).isEqualTo(1);
        assertThatThrownBy(() -> file(",'depth':1,'revision':'" + oldest.name() + "'"))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining("git.depth");
    }

    @Test
    void furtherReferencesAreFetched() throws Exception {
        var pull = repository.getRepository().updateRef("refs/pull/1/head");
        pull.setNewObjectId(repository.getRepository().resolve("feature"));
        pull.update();
        assertThat(
                        file(
                                ",'fetch':['refs/pull/1/head:refs/pull/1/head'],'revision':'refs/pull/1/head'"))
                .isEqualTo("three");
    }

    @Test
    void aMissingRevisionIsToldWithTheCure() {
        assertThatThrownBy(() -> file(",'revision':'none'"))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining("/repo at none")
                .hasMessageContaining("no such revision");
    }

    @Test
    void aPasswordIsNeededAndNeverTold() throws Exception {
        String auth =
                ",'usernameSecret':{'name':'git','key':'user'},'passwordSecret':{'name':'git','key':'password'}";
        assertThat(bring(server.http() + "/private/repo", auth).resolve("file")).hasContent("two");
        secret.put("password", "wr0ng-secret");
        assertThatThrownBy(() -> bring(server.http() + "/private/repo", auth))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining("git.passwordSecret")
                .hasMessageNotContaining("wr0ng-secret");
    }

    @ParameterizedTest
    @CsvSource({"ssh-rsa, 2048", "ssh-ed25519, 256", "ecdsa-sha2-nistp256, 256"})
    void aPrivateKeyOpensSsh(String type, int bits) throws Exception {
        KeyPair pair = KeyUtils.generateKeyPair(type, bits);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(pair, "test", null, text);
        // As a secret store gives it: without its last line end.
        secret.put("key", text.toString(StandardCharsets.UTF_8).strip());
        String key = ",'sshPrivateKeySecret':{'name':'git','key':'key'}";
        assertThatThrownBy(
                        () -> bring(server.ssh() + "/repo", key + ",'insecureIgnoreHostKey':true"))
                .hasMessageContaining("sshPrivateKeySecret");
        server.letIn(pair.getPublic());
        assertThat(
                        bring(server.ssh() + "/repo", key + ",'insecureIgnoreHostKey':true")
                                .resolve("file"))
                .hasContent("two");
        assertThatThrownBy(() -> bring(server.ssh() + "/repo", key))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining("known_hosts");
    }

    @Test
    void whatIsNoKeyIsToldWithoutIt() {
        secret.put("key", "-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n");
        assertThatThrownBy(
                        () ->
                                bring(
                                        server.ssh() + "/repo",
                                        ",'sshPrivateKeySecret':{'name':'git','key':'key'}"))
                .hasMessageContaining("sshPrivateKeySecret is no private key")
                .hasMessageNotContaining("c2VjcmV0");
    }

    @Test
    void submodulesComeAlongUnlessTheyAreNotWanted() throws Exception {
        try (Git outer =
                Git.init()
                        .setInitialBranch("main")
                        .setDirectory(folder.resolve("served/outer").toFile())
                        .call()) {
            outer.submoduleAdd().setPath("inner").setURI(server.http() + "/repo").call().close();
            outer.commit()
                    .setMessage("m")
                    .setSign(false)
                    .setAuthor("a", "a@example.com")
                    .setCommitter("a", "a@example.com")
                    .call();
        }
        assertThat(bring(server.http() + "/outer", "").resolve("inner/file")).hasContent("two");
        assertThat(
                        bring(server.http() + "/outer", ",'disableSubmodules':true")
                                .resolve("inner/file"))
                .doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc", "file:///etc", "../x", "ext::sh -c id"})
    void thisHostsOwnRepositoriesAreNotReached(String repo) {
        assertThatThrownBy(() -> bring(repo, ""))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining("address must be");
    }
}
