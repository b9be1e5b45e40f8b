package dev.millrace.eventsources;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sends a request exactly as written, which no HTTP client does. */
final class RawHttp {

    record Answer(int status, String body) {}

    private RawHttp() {}

    /**
     * @param headers name and value, beside Host and Content-Length
     */
    static Answer send(
            int port, String method, String target, List<List<String>> headers, String body)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: events.test\r\n");
        headers.forEach(h -> head.append(h.get(0)).append(": ").append(h.get(1)).append("\r\n"));
        head.append("Content-Length: ").append(bytes.length).append("\r\n\r\n");
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return read(socket.getInputStream(), method.equals("HEAD"));
        }
    }

    /** All that is answered to these characters until the server closes the connection. */
    static String exchange(int port, String sent) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static Answer read(InputStream in, boolean bodyless) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("the answer ends early: " + head);
            }
            head.write(b);
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        int status = Integer.parseInt(text.split(" ")[1]);
        int length = 0;
        for (String line : text.split("\r\n")) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        String body = bodyless ? "" : new String(in.readNBytes(length), StandardCharsets.UTF_8);
        return new Answer(status, body);
    }
}
