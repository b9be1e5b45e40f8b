package dev.millrace.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Followed logs over connections that break off in every way that a server can go. */
final class FollowedLogsIT {

    private static final String RUNNING = "{\"metadata\":{\"name\":\"wf\"},\"status\":{}}";
    private static final String FINISHED =
            "{\"metadata\":{\"name\":\"wf\"},\"status\":{\"finishedAt\":\"2026-01-01T00:00:00Z\"}}";

    /**
     * How a server answers a request for logs.
     *
     * @param ending {@code cut} breaks off within the stream, {@code stop} ends it in order without
     *     having said all, {@code end} says that this is all
     */
    private record Answer(int status, List<String> lines, String ending) {}

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> printed = new CopyOnWriteArrayList<>();
    private volatile String workflow = RUNNING;
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void aLineIsPrintedOnceHoweverTheStreamBreaks() {
        answers.add(new Answer(200, List.of(line("a", 1, 2), line("b", 1, 2)), "cut"));
        answers.add(new Answer(503, List.of(), ""));
        answers.add(new Answer(200, List.of(line("a", 1, 2), line("a", 2, 4)), "stop"));
        answers.add(
                new Answer(
                        200,
                        List.of(line("b", 1, 2), line("a", 1, 2), line("a", 2, 4), line("b", 2, 4)),
                        "end"));

        follow(Query.none());

        assertThat(printed).containsExactly("a1", "b1", "a2", "b2");
    }

    @Test
    void afterABreakTheLogGoesOnWhereItWasNotWhereItsEndIsNow() {
        answers.add(new Answer(200, List.of(line("a", 8, 80), line("a", 9, 90)), "cut"));
        answers.add(
                new Answer(
                        200,
                        List.of(
                                line("a", 7, 70),
                                line("a", 8, 80),
                                line("a", 9, 90),
                                line("a", 10, 100)),
                        "end"));

        follow(Query.none().with("logOptions.tailLines", "2"));

        assertThat(printed).containsExactly("a8", "a9", "a10");
        assertThat(requests.getFirst()).contains("tailLines=2").contains("follow=true");
        assertThat(requests.getLast()).doesNotContain("tailLines").contains("follow=true");
    }

    @Test
    void aBreakBeforeAnyLineStillAsksForTheLastLinesOnly() {
        answers.add(new Answer(503, List.of(), ""));
        answers.add(new Answer(200, List.of(line("a", 9, 90)), "end"));

        follow(Query.none().with("logOptions.tailLines", "1"));

        assertThat(printed).containsExactly("a9");
        assertThat(requests).hasSize(2).allMatch(request -> request.contains("tailLines=1"));
    }

    @Test
    void aServerThatTellsNoPositionsIsCountedWith() {
        answers.add(new Answer(200, List.of(line("a", 1, -1), line("a", 2, -1)), "cut"));
        answers.add(
                new Answer(
                        200,
                        List.of(line("a", 1, -1), line("a", 2, -1), line("a", 3, -1)),
                        "stop"));
        workflow = FINISHED;

        follow(Query.none());

        assertThat(printed).containsExactly("a1", "a2", "a3");
    }

    @Test
    void aServerThatStaysAwayIsSaidToBeGone() {
        answers.add(new Answer(200, List.of(line("a", 1, 2)), "gone"));

        assertThatThrownBy(() -> follow(Query.none()))
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining(
                        "is gone for 1 s; the workflow ns/wf goes on when it is back");
        assertThat(printed).containsExactly("a1");
    }

    private void follow(Query query) {
        try (ApiClient api =
                new ApiClient(
                        URI.create("http://127.0.0.1:" + server.getLocalPort()),
                        Optional.empty())) {
            new Workflows(api, Duration.ofSeconds(1))
                    .followLogs(
                            "ns",
                            "wf",
                            "",
                            query,
                            line -> printed.add(line.path("content").asString("")));
        }
    }

    private static String line(String pod, int number, int position) {
        return "data: {\"result\":{\"content\":\"%s%d\",\"podName\":\"%s\"%s}} \n\n"
                .formatted(pod, number, pod, position < 0 ? "" : ",\"position\":" + position);
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                answer(socket);
            } catch (IOException e) {
                // The client left, or the test is over; the next one is served all the same.
                continue;
            }
        }
    }

    private void answer(Socket socket) throws IOException {
        BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        String request = in.readLine();
        for (String header = in.readLine(); header != null && !header.isEmpty(); ) {
            header = in.readLine();
        }
        OutputStream out = socket.getOutputStream();
        if (request == null || !request.contains("/log")) {
            say(
                    out,
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(workflow.length(), workflow));
            return;
        }
        requests.add(request);
        Answer answer = answers.remove();
        say(
                out,
                "HTTP/1.1 %d X\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .formatted(answer.status()));
        for (String line : answer.lines()) {
            chunk(out, line);
        }
        if (answer.ending().equals("cut") || answer.ending().equals("gone")) {
            // The client may lose what it has received but not read when the connection breaks.
            Await.until(
                    "the lines are printed",
                    () ->
                            answer.lines().stream()
                                    .allMatch(l -> printed.stream().anyMatch(l::contains)));
        }
        switch (answer.ending()) {
            case "gone" -> server.close();
            case "end" -> chunk(out, ":end\n\n");
            default -> {}
        }
        if (!answer.ending().equals("cut") && !answer.ending().equals("gone")) {
            say(out, "0\r\n\r\n");
        }
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        say(out, Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
