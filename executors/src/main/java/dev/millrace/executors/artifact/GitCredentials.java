package dev.millrace.executors.artifact;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.eclipse.jgit.api.TransportConfigCallback;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.SshTransport;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;
import org.eclipse.jgit.transport.sshd.ServerKeyDatabase;
import org.eclipse.jgit.transport.sshd.SshdSessionFactory;
import org.eclipse.jgit.transport.sshd.SshdSessionFactoryBuilder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How a Git server is told who asks.
 *
 * @param password for HTTP; null for nobody in particular
 * @param keys for SSH
 * @param anyHostKey whether the SSH server may be anyone
 */
record GitCredentials(
        @Nullable CredentialsProvider password, List<KeyPair> keys, boolean anyHostKey) {

    static GitCredentials of(JsonNode tree, StoreSecrets secrets) throws ArtifactException {
        Optional<String> user = secrets.value(tree, "usernameSecret");
        Optional<String> password = secrets.value(tree, "passwordSecret");
        Optional<String> key = secrets.value(tree, "sshPrivateKeySecret");
        return new GitCredentials(
                user.isPresent() || password.isPresent()
                        ? new UsernamePasswordCredentialsProvider(
                                user.orElse(""), password.orElse(""))
                        : null,
                key.isPresent() ? keys(key.get()) : List.of(),
                tree.path("insecureIgnoreHostKey").asBoolean(false));
    }

    private static List<KeyPair> keys(String text) throws ArtifactException {
        List<KeyPair> keys = new ArrayList<>();
        // Editors and secret stores take the last line end off, which the format demands.
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            Iterable<KeyPair> found =
                    SecurityUtils.loadKeyPairIdentities(
                            null,
                            NamedResource.ofName("sshPrivateKeySecret"),
                            new ByteArrayInputStream(bytes),
                            null);
            if (found != null) {
                found.forEach(keys::add);
            }
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            // Not as a cause: the message of a parser may show a part of the key.
            throw unreadable();
        }
        if (keys.isEmpty()) {
            throw unreadable();
        }
        return keys;
    }

    private static ArtifactException unreadable() {
        return new ArtifactException(
                "git.sshPrivateKeySecret is no private key without a passphrase, in the format of OpenSSH or PEM");
    }

    /** Prepares the connection; the factory is to be closed after use. */
    SshdSessionFactory sshFactory(Path home) {
        Path userFiles = Path.of(System.getProperty("user.home", "/"), ".ssh");
        SshdSessionFactoryBuilder builder =
                new SshdSessionFactoryBuilder()
                        .setHomeDirectory(home.toFile())
                        .setSshDirectory(home.toFile())
                        .setPreferredAuthentications("publickey")
                        // The server's own keys and settings are not for the steps of others.
                        .setConfigStoreFactory((_, _, _) -> null)
                        .setDefaultKeysProvider(_ -> keys)
                        .setDefaultKnownHostsFiles(
                                _ ->
                                        List.of(
                                                userFiles.resolve("known_hosts"),
                                                Path.of("/etc/ssh/ssh_known_hosts")));
        if (anyHostKey) {
            builder.setServerKeyDatabase((_, _) -> new AnyServer());
        }
        return builder.build(null);
    }

    /** Sets the factory on transports that are SSH. */
    static TransportConfigCallback callback(SshdSessionFactory factory) {
        return transport -> {
            if (transport instanceof SshTransport ssh) {
                ssh.setSshSessionFactory(factory);
            }
        };
    }

    private static final class AnyServer implements ServerKeyDatabase {
        @Override
        public List<PublicKey> lookup(
                String connectAddress, InetSocketAddress remoteAddress, Configuration config) {
            return List.of();
        }

        @Override
        public boolean accept(
                String connectAddress,
                InetSocketAddress remoteAddress,
                PublicKey serverKey,
                Configuration config,
                CredentialsProvider provider) {
            return true;
        }
    }
}
