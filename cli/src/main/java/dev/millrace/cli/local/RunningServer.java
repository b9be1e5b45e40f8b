package dev.millrace.cli.local;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/** A server in this process. */
public interface RunningServer extends AutoCloseable {

    /** Where its API answers. */
    URI api();

    /** How steps run here: a summary, then what a person should know. */
    List<String> facts();

    /** Whether only this machine reaches it. */
    boolean isLoopback();

    /** The value of the Authorization header that it demands, if any. */
    Optional<String> authorization();

    /** Stops it in order; steps that run are ended unless the plan keeps them. */
    @Override
    void close();
}
