package dev.millrace.executors.artifact;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser.PacketLineOutRefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;

/**
 * Serves the repositories of a folder by Git's own protocol, over HTTP (below {@code /private} with
 * a password) and over SSH.
 */
final class GitServer implements AutoCloseable {
    static final String USER = "anna";
    static final String PASSWORD = "g1t-secret";

    private final Path folder;
    private final HttpServer http;
    private final SshServer ssh = SshServer.setUpDefaultServer();
    private final Set<PublicKey> known = ConcurrentHashMap.newKeySet();

    private GitServer(Path folder) throws IOException {
        this.folder = folder;
        this.http =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    static GitServer start(Path folder) throws IOException {
        GitServer server = new GitServer(folder);
        server.http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.http.createContext("/", server::serve);
        server.http.start();
        server.ssh.setHost("127.0.0.1");
        server.ssh.setKeyPairProvider(
                new SimpleGeneratorHostKeyProvider(folder.resolve("host-key")));
        server.ssh.setPublickeyAuthenticator(
                (_, key, _) -> server.known.stream().anyMatch(k -> KeyUtils.compareKeys(k, key)));
        server.ssh.setCommandFactory((_, command) -> server.new Upload(command));
        server.ssh.start();
        return server;
    }

    String http() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    String ssh() {
        return "ssh://git@127.0.0.1:" + ssh.getPort();
    }

    void letIn(PublicKey key) {
        known.add(key);
    }

    private Repository repository(String name) throws IOException {
        return new FileRepositoryBuilder()
                .setGitDir(folder.resolve(name.replaceFirst("^/", "")).resolve(".git").toFile())
                .setMustExist(true)
                .build();
    }

    private void serve(HttpExchange e) throws IOException {
        String path = e.getRequestURI().getPath();
        String expected =
                "Basic "
                        + Base64.getEncoder()
                                .encodeToString(
                                        (USER + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8));
        if (path.startsWith("/private/")
                && !expected.equals(e.getRequestHeaders().getFirst("Authorization"))) {
            e.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
            e.sendResponseHeaders(401, -1);
            e.close();
            return;
        }
        String name = path.replaceFirst("^/private", "").replaceFirst("/(info|git-).*", "");
        try (Repository repository = repository(name);
                e) {
            UploadPack upload = new UploadPack(repository);
            upload.setBiDirectionalPipe(false);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            if (path.endsWith("/info/refs")) {
                PacketLineOut lines = new PacketLineOut(out);
                lines.writeString("# service=git-upload-pack\n");
                lines.end();
                upload.sendAdvertisedRefs(new PacketLineOutRefAdvertiser(lines));
                type(e, "advertisement");
            } else {
                InputStream body = e.getRequestBody();
                boolean packed = "gzip".equals(e.getRequestHeaders().getFirst("Content-Encoding"));
                upload.upload(packed ? new GZIPInputStream(body) : body, out, null);
                type(e, "result");
            }
            e.sendResponseHeaders(200, out.size());
            out.writeTo(e.getResponseBody());
        } catch (org.eclipse.jgit.errors.RepositoryNotFoundException missing) {
            e.sendResponseHeaders(404, -1);
        }
    }

    private static void type(HttpExchange e, String what) {
        e.getResponseHeaders().set("Content-Type", "application/x-git-upload-pack-" + what);
    }

    /** The command of an SSH session. */
    private final class Upload implements Command {
        private final String command;
        private InputStream in = InputStream.nullInputStream();
        private OutputStream out = OutputStream.nullOutputStream();
        private OutputStream err = OutputStream.nullOutputStream();
        private ExitCallback exit = (_, _, _) -> {};

        Upload(String command) {
            this.command = command;
        }

        @Override
        public void setInputStream(InputStream stream) {
            in = stream;
        }

        @Override
        public void setOutputStream(OutputStream stream) {
            out = stream;
        }

        @Override
        public void setErrorStream(OutputStream stream) {
            err = stream;
        }

        @Override
        public void setExitCallback(ExitCallback callback) {
            exit = callback;
        }

        @Override
        public void start(ChannelSession channel, Environment environment) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try (Repository repository =
                                        repository(command.replaceAll(".*'(.*)'.*", "$1"))) {
                                    new UploadPack(repository).upload(in, out, err);
                                    exit.onExit(0);
                                } catch (IOException e) {
                                    exit.onExit(1, e.toString());
                                }
                            });
        }

        @Override
        public void destroy(ChannelSession channel) {}
    }

    @Override
    public void close() throws IOException {
        ssh.stop(true);
        http.stop(0);
    }
}
