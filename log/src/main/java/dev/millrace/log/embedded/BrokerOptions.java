package dev.millrace.log.embedded;

/**
 * What can be chosen about the embedded broker.
 *
 * @param fsync whether every record is forced to the disk before it is acknowledged. Without it a
 *     killed process loses nothing, a power cut may lose the last seconds
 * @param port where clients connect on 127.0.0.1; 0 takes a free one
 */
public record BrokerOptions(boolean fsync, int port) {

    /** No fsync, any free port. */
    public static final BrokerOptions DEFAULT = new BrokerOptions(false, 0);
}
