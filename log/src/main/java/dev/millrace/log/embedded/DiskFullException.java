package dev.millrace.log.embedded;

/** Nothing new is accepted, since the disk is nearly full. */
public final class DiskFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DiskFullException(String message) {
        super(message);
    }
}
