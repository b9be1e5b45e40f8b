package dev.millrace.testkit.cluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What one run of a container printed, line by line, in memory. */
final class ContainerLog {
    /**
     * @param at when its end was read
     * @param text with its line feed, if it has one
     */
    record Line(Instant at, byte[] text) {}

    private final List<Line> lines = new ArrayList<>();
    private boolean ended;

    /** Reads to the end of what the process prints. */
    void pump(InputStream printed) throws IOException {
        try (InputStream in = printed) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                for (int i = 0; i < n; i++) {
                    line.write(buffer[i]);
                    if (buffer[i] == '\n') {
                        add(line);
                    }
                }
            }
            if (line.size() > 0) {
                add(line);
            }
        } finally {
            end();
        }
    }

    private synchronized void add(ByteArrayOutputStream line) {
        lines.add(new Line(Instant.now(), line.toByteArray()));
        line.reset();
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** How many lines there are by now. */
    synchronized int size() {
        return lines.size();
    }

    /** The lines from an index on that are there by now. */
    synchronized List<Line> from(int index) {
        return List.copyOf(lines.subList(index, lines.size()));
    }

    /** Waits until there is a line at the index; false if there never will be. */
    synchronized boolean await(int index) throws InterruptedException {
        while (lines.size() <= index && !ended) {
            wait();
        }
        return lines.size() > index;
    }

    /** Waits until all has been read, and gives the end of it: at most 80 lines and 2048 bytes. */
    synchronized String tail() throws InterruptedException {
        while (!ended) {
            wait();
        }
        StringBuilder text = new StringBuilder();
        for (Line line : lines.subList(Math.max(0, lines.size() - 80), lines.size())) {
            text.append(new String(line.text(), StandardCharsets.UTF_8));
        }
        return text.substring(Math.max(0, text.length() - 2048));
    }
}
