package dev.millrace.server.endtoend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts what steps do outside of their sandboxes: each step calls here with a line of its own when
 * it runs, so that a step that runs twice is seen, whatever the server believes.
 */
final class StepCalls implements AutoCloseable {
    private final ServerSocket socket;
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();

    StepCalls() throws IOException {
        socket = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** The shell commands that call, and print the answer. */
    String script(String line) {
        return """
               exec 3<>/dev/tcp/127.0.0.1/%d
               echo "%s" >&3
               read -r answer <&3
               echo "$answer %s"
               """
                .formatted(socket.getLocalPort(), line, line);
    }

    /** How often each line came. */
    Map<String, Integer> counts() {
        return Map.copyOf(calls);
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket call = socket.accept();
                Thread.ofVirtual().start(() -> answer(call));
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void answer(Socket call) {
        try (call) {
            String line =
                    new BufferedReader(
                                    new InputStreamReader(
                                            call.getInputStream(), StandardCharsets.UTF_8))
                            .readLine();
            if (line != null) {
                calls.merge(line, 1, Integer::sum);
                call.getOutputStream().write("counted\n".getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
