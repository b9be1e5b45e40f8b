package dev.millrace.executors.process;

import dev.millrace.executors.PodFields;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** A readiness probe, as Kubernetes has it: a command, an HTTP GET or a TCP connection. */
final class Probe {
    private static final Logger LOG = LoggerFactory.getLogger(Probe.class);

    /** The number of a port that a container names; 0 if it has none of this name. */
    interface Ports {
        int number(String name);
    }

    private final StepFolder folder;
    private final JsonNode settings;
    private final Ports ports;
    private final Duration timeout;

    Probe(StepFolder folder, JsonNode settings, Ports ports) {
        this.folder = folder;
        this.settings = settings;
        this.ports = ports;
        this.timeout = Duration.ofSeconds(Math.max(1, settings.path("timeoutSeconds").asInt(1)));
    }

    /** Asks once. */
    boolean succeeds() throws InterruptedException {
        try {
            if (settings.has("exec")) {
                return command();
            }
            if (settings.has("httpGet")) {
                return http(settings.path("httpGet"));
            }
            return settings.has("tcpSocket") && tcp(settings.path("tcpSocket"));
        } catch (IOException | URISyntaxException | IllegalArgumentException e) {
            // Not (yet) there: what a probe is asked for.
            LOG.debug("a probe of the step in {} failed", folder.dir(), e);
            return false;
        }
    }

    private boolean command() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", folder.probeScript().toString());
        builder.directory(folder.dir().toFile());
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
        Process process = builder.start();
        try {
            return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    && process.exitValue() == 0;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private int port(JsonNode action) {
        String port = action.path("port").asString("");
        int number = port.matches("\\d{1,5}") ? Integer.parseInt(port) : ports.number(port);
        if (number < 1 || number > 65_535) {
            throw new IllegalArgumentException("no port " + port);
        }
        return number;
    }

    private static String host(JsonNode action) {
        String host = action.path("host").asString("");
        return host.isEmpty() ? PodFields.ADDRESS : host;
    }

    private boolean tcp(JsonNode action) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(host(action), port(action)), (int) timeout.toMillis());
            return true;
        }
    }

    private boolean http(JsonNode action) throws IOException, URISyntaxException {
        boolean secure = action.path("scheme").asString("").equalsIgnoreCase("HTTPS");
        String path = action.path("path").asString("/");
        URI uri =
                new URI(
                        "%s://%s:%d%s"
                                .formatted(
                                        secure ? "https" : "http",
                                        host(action),
                                        port(action),
                                        path.startsWith("/") ? path : "/" + path));
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        if (connection instanceof HttpsURLConnection https) {
            trustAll(https);
        }
        connection.setConnectTimeout((int) timeout.toMillis());
        connection.setReadTimeout((int) timeout.toMillis());
        connection.setInstanceFollowRedirects(false);
        for (JsonNode header : action.path("httpHeaders")) {
            connection.setRequestProperty(
                    header.path("name").asString(""), header.path("value").asString(""));
        }
        try {
            int status = connection.getResponseCode();
            return status >= 200 && status < 400;
        } finally {
            connection.disconnect();
        }
    }

    /** A probe asks whether somebody answers, not who: kubelets do not look at certificates. */
    private static void trustAll(HttpsURLConnection connection) throws IOException {
        TrustManager all =
                new X509TrustManager() {
                    @Override
                    public void checkClientTrusted(X509Certificate[] chain, String type) {}

                    @Override
                    public void checkServerTrusted(X509Certificate[] chain, String type) {}

                    @Override
                    public X509Certificate[] getAcceptedIssuers() {
                        return new X509Certificate[0];
                    }
                };
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {all}, null);
            connection.setSSLSocketFactory(context.getSocketFactory());
            connection.setHostnameVerifier((_, _) -> true);
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS for the probe", e);
        }
    }
}
