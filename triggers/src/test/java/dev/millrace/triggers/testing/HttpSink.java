package dev.millrace.triggers.testing;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Receives requests and keeps them as they came: the JDK's own server would change the spelling of
 * header names. The first segment of the path says how it answers: {@code fail2} 500 twice, {@code
 * fail9} always, {@code s201} and the like that status, {@code redir} a redirect to {@code /ok/…},
 * {@code slow} never; else 200.
 */
public final class HttpSink implements Closeable {

    /** A request. Headers in the order in which they came. */
    public record Request(
            String method, String path, List<Header> headers, String body, int answered) {

        /** The first header of that name, in any spelling. */
        public String header(String name) {
            return headers.stream()
                    .filter(h -> h.name().equalsIgnoreCase(name))
                    .map(Header::value)
                    .findFirst()
                    .orElse("");
        }
    }

    /** A header as it was written. */
    public record Header(String name, String value) {}

    private final ServerSocket server;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    private volatile String redirect = "";

    public HttpSink() throws IOException {
        server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** {@code http://127.0.0.1:port}. */
    public String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** All that came so far. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Where {@code /redir/…} leads from now on. */
    public void redirectTo(String url) {
        redirect = url;
    }

    /** Forgets requests and counts. */
    public void clear() {
        requests.clear();
        counts.clear();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void accept() {
        while (true) {
            Socket socket;
            try {
                socket = server.accept();
            } catch (IOException e) {
                return; // closed
            }
            Thread.ofVirtual().start(() -> serve(socket));
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            while (true) {
                List<String> head = head(in);
                if (head.isEmpty()) {
                    return;
                }
                answer(head, in, socket.getOutputStream());
            }
        } catch (SocketException e) {
            return; // the client went away
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void answer(List<String> head, InputStream in, OutputStream out) throws IOException {
        String[] line = head.getFirst().split(" ", 3);
        List<Header> headers = new ArrayList<>();
        int length = 0;
        for (String text : head.subList(1, head.size())) {
            int colon = text.indexOf(':');
            Header header = new Header(text.substring(0, colon), text.substring(colon + 1).strip());
            headers.add(header);
            if (header.name().toLowerCase(Locale.ROOT).equals("content-length")) {
                length = Integer.parseInt(header.value());
            }
        }
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        String path = line[1];
        String rule = path.split("[/?]", 3)[1];
        int count = counts.computeIfAbsent(path, _ -> new AtomicInteger()).incrementAndGet();
        int status =
                switch (rule) {
                    case "fail2" -> count <= 2 ? 500 : 200;
                    case "fail9" -> 500;
                    case "redir" -> 302;
                    default -> rule.matches("s\\d{3}") ? Integer.parseInt(rule.substring(1)) : 200;
                };
        requests.add(new Request(line[0], path, List.copyOf(headers), body, status));
        if (rule.equals("slow")) {
            return;
        }
        String target = redirect.isEmpty() ? "/ok" + path.replaceFirst("^/redir", "") : redirect;
        String location = status == 302 ? "Location: " + target + "\r\n" : "";
        out.write(
                ("HTTP/1.1 " + status + " S\r\n" + location + "Content-Length: 0\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static List<String> head(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b != '\n') {
                line.write(b);
                continue;
            }
            String text = line.toString(StandardCharsets.UTF_8).strip();
            line.reset();
            if (text.isEmpty()) {
                return lines;
            }
            lines.add(text);
        }
        return List.of();
    }
}
