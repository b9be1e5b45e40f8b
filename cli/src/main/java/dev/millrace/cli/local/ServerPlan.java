package dev.millrace.cli.local;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Which server to start.
 *
 * @param data its folder
 * @param definitions a folder with manifests to apply and watch, if any
 * @param port of the API; 0 takes a free one; empty leaves it to the configuration
 * @param bind the address to listen on; empty leaves it to the configuration
 * @param keepSteps whether an orderly stop leaves steps running
 */
public record ServerPlan(
        Path data,
        Optional<Path> definitions,
        Optional<Integer> port,
        Optional<String> bind,
        boolean keepSteps) {

    /** One for a single command: reached from this machine only, on a port that is free. */
    public static ServerPlan temporary(Path data) {
        return new ServerPlan(
                data, Optional.empty(), Optional.of(0), Optional.of("127.0.0.1"), false);
    }
}
