package dev.millrace.executors.artifact;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The first bytes of a stream, as if it ended there. */
final class FileSection extends FilterInputStream {
    private long left;

    /**
     * @param in closed with this
     * @param bytes how many it has
     */
    FileSection(InputStream in, long bytes) {
        super(in);
        this.left = bytes;
    }

    @Override
    public int read() throws IOException {
        if (left == 0) {
            return -1;
        }
        int read = super.read();
        left -= read < 0 ? 0 : 1;
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (left == 0) {
            return -1;
        }
        int read = super.read(bytes, offset, (int) Math.min(length, left));
        left -= Math.max(read, 0);
        return read;
    }

    @Override
    public long skip(long bytes) throws IOException {
        long skipped = super.skip(Math.min(bytes, left));
        left -= skipped;
        return skipped;
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(super.available(), left);
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
