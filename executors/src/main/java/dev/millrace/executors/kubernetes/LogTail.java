package dev.millrace.executors.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The end of a log, as the result of a step. */
final class LogTail {
    private static final int MAX_BYTES = 256 * 1024;

    private LogTail() {}

    /** The last 256 KiB without the last line end; closes the stream. */
    static String of(InputStream log) throws IOException {
        byte[] ring = new byte[MAX_BYTES + 1];
        long total = 0;
        try (log) {
            byte[] piece = new byte[16 * 1024];
            for (int n = log.read(piece); n >= 0; n = log.read(piece)) {
                for (int i = 0; i < n; i++) {
                    ring[(int) (total++ % ring.length)] = piece[i];
                }
            }
        }
        int kept = (int) Math.min(total, ring.length);
        byte[] tail = new byte[kept];
        for (int i = 0; i < kept; i++) {
            tail[i] = ring[(int) ((total - kept + i) % ring.length)];
        }
        int end = kept > 0 && tail[kept - 1] == '\n' ? kept - 1 : kept;
        int start = Math.max(0, end - MAX_BYTES);
        // Not in the middle of a character.
        while (total - kept + start > 0 && start < end && (tail[start] & 0xC0) == 0x80) {
            start++;
        }
        return new String(tail, start, end - start, StandardCharsets.UTF_8);
    }
}
