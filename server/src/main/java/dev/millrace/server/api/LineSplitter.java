package dev.millrace.server.api;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Makes lines of pieces that end anywhere, also within a character. */
final class LineSplitter {

    private static final int LONGEST = 1024 * 1024;

    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private long position;

    /** For a text from its beginning. */
    LineSplitter() {
        this(0);
    }

    /**
     * @param position where the text begins, in bytes
     */
    LineSplitter(long position) {
        this.position = position;
    }

    /** Where the line that was handed out last ends, its line end included, in bytes. */
    long position() {
        return position;
    }

    /** Hands out the lines that are complete, without their ends. */
    void add(byte[] piece, Consumer<String> lines) {
        int from = 0;
        for (int i = 0; i < piece.length; i++) {
            if (piece[i] == '\n') {
                rest.write(piece, from, i - from);
                flush(1, lines);
                from = i + 1;
            }
        }
        rest.write(piece, from, piece.length - from);
        // A step that writes no line ends must not fill the memory.
        if (rest.size() > LONGEST) {
            flush(0, lines);
        }
    }

    /** Hands out a last line without an end. */
    void end(Consumer<String> lines) {
        if (rest.size() > 0) {
            flush(0, lines);
        }
    }

    private void flush(int lineEnd, Consumer<String> lines) {
        position += rest.size() + lineEnd;
        String line = rest.toString(StandardCharsets.UTF_8);
        rest.reset();
        lines.accept(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
    }
}
