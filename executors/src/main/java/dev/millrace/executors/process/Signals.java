package dev.millrace.executors.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Signals to the processes of steps. */
final class Signals {
    private static final Path PROC = Path.of("/proc");

    private Signals() {}

    /**
     * Asks containers of a step to end that were not asked before. Nothing happens before they run
     * or after they ended.
     *
     * @param asked the leaders that were asked; the others are added
     */
    static void terminate(StepFolder folder, Set<Long> asked) {
        toGroups("TERM", folder, folder.leaders().stream().filter(asked::add).toList());
    }

    /** Ends what runs of a step; the shell that supervises it then writes the exit codes. */
    static void kill(StepFolder folder) {
        toGroups("KILL", folder, folder.leaders());
    }

    private static void toGroups(String signal, StepFolder folder, List<Long> leaders) {
        // The shell lives longer than the groups, so while it lives the numbers are not somebody
        // else's.
        if (!leaders.isEmpty() && isSupervised(folder)) {
            send(signal, leaders.stream().map(l -> "-" + l).toArray(String[]::new));
        }
    }

    /**
     * Ends the supervising shell and what it started beside the step. With bubblewrap the step ends
     * with it.
     */
    static void killSupervisor(StepFolder folder) {
        folder.claim().filter(ProcessIdentity::isAlive).ifPresent(c -> send("KILL", "-" + c.pid()));
    }

    private static boolean isSupervised(StepFolder folder) {
        return folder.claim().filter(ProcessIdentity::isAlive).isPresent();
    }

    /**
     * Ends processes that left the group of a step that ran without isolation; they still carry its
     * id.
     */
    static void killStrays(String stepId) {
        List<String> strays = new ArrayList<>();
        byte[] mark = ("MILLRACE_STEP_ID=" + stepId + "\0").getBytes(StandardCharsets.UTF_8);
        if (!Files.isDirectory(PROC)) {
            return;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (contains(environment(process), mark)) {
                    strays.add(process.getFileName().toString());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the processes of this host", e);
        }
        if (!strays.isEmpty()) {
            send("KILL", strays.toArray(String[]::new));
        }
    }

    private static byte[] environment(Path process) {
        try {
            return Files.readAllBytes(process.resolve("environ"));
        } catch (IOException e) {
            // It ended just now, or belongs to another user: not a process of ours either way.
            return new byte[0];
        }
    }

    private static boolean contains(byte[] text, byte[] part) {
        for (int i = 0; i + part.length <= text.length; i++) {
            if ((i == 0 || text[i - 1] == 0)
                    && Arrays.mismatch(text, i, i + part.length, part, 0, part.length) < 0) {
                return true;
            }
        }
        return false;
    }

    private static void send(String signal, String... targets) {
        List<String> kill =
                new ArrayList<>(List.of("/bin/sh", "-c", "kill -s \"$0\" -- \"$@\"", signal));
        kill.addAll(List.of(targets));
        try {
            Process process =
                    new ProcessBuilder(kill)
                            .redirectErrorStream(true)
                            // That a process is gone already is no news.
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send a signal", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
