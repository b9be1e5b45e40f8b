package dev.millrace.testkit.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;

/** Looks once whether a container is ready. */
final class ReadinessProbe {
    /** Runs a command in the container. */
    interface Exec {
        int run(List<String> words) throws IOException, InterruptedException;
    }

    private ReadinessProbe() {}

    static boolean passes(Probe probe, Container container, Exec exec) throws InterruptedException {
        int timeout = 1000 * (probe.getTimeoutSeconds() == null ? 1 : probe.getTimeoutSeconds());
        try {
            if (probe.getExec() != null) {
                return exec.run(probe.getExec().getCommand()) == 0;
            }
            if (probe.getHttpGet() != null) {
                var get = probe.getHttpGet();
                String path = get.getPath() == null ? "/" : get.getPath();
                URI uri = URI.create("http://127.0.0.1:" + port(get.getPort(), container) + path);
                HttpURLConnection http = (HttpURLConnection) uri.toURL().openConnection();
                http.setConnectTimeout(timeout);
                http.setReadTimeout(timeout);
                int code = http.getResponseCode();
                http.disconnect();
                return code >= 200 && code < 400;
            }
            try (Socket socket = new Socket()) {
                int port = port(probe.getTcpSocket().getPort(), container);
                socket.connect(new InetSocketAddress("127.0.0.1", port), timeout);
                return true;
            }
        } catch (IOException e) {
            // Nobody listens yet: the answer that a probe is there for.
            return false;
        }
    }

    private static int port(IntOrString port, Container container) {
        if (port.getIntVal() != null) {
            return port.getIntVal();
        }
        return container.getPorts().stream()
                .filter(p -> port.getStrVal().equals(p.getName()))
                .map(ContainerPort::getContainerPort)
                .findFirst()
                .orElseThrow();
    }
}
