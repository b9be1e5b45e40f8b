package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.cli.Recorder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TokenIT {

    private final List<String> shown = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    shown.add(
                            String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
                    byte[] answer = "{}".getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void theOptionGoesBeforeTheVariableAndMayNameItsScheme() {
        Recorder shell =
                new Recorder(Path.of("nowhere"))
                        .variable(
                                "MILLRACE_SERVER",
                                "http://127.0.0.1:" + server.getAddress().getPort());

        shell.run("list");
        shell.variable("ARGO_TOKEN", "Bearer fromVariable").run("list");
        shell.run("list", "--token", "given");
        shell.run("list", "--token=Basic abc");

        assertThat(shown)
                .containsExactly("null", "Bearer fromVariable", "Bearer given", "Basic abc");
    }
}
