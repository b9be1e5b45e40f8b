package dev.millrace.testkit.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Starts processes that end with this JVM, even when it is killed. */
final class OwnedProcess {
    /**
     * The shell sees the end of its standard input when this JVM is gone, and kills the program
     * then.
     */
    private static final String WATCH =
            """
            exec 3<&0
            "$@" </dev/null 3<&- &
            program=$!
            (read -r nothing <&3; kill -KILL $program 2>/dev/null) >/dev/null 2>&1 &
            watch=$!
            wait $program
            code=$?
            kill $watch 2>/dev/null
            exit $code
            """;

    private OwnedProcess() {}

    /** Not started yet. Closing its standard input kills the program. */
    static ProcessBuilder of(List<String> command) {
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", WATCH, "sh"));
        line.addAll(command);
        return new ProcessBuilder(line).redirectErrorStream(true);
    }

    /** Kills the program, and waits until it is gone. */
    static void kill(Process process) throws IOException {
        process.getOutputStream().close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
