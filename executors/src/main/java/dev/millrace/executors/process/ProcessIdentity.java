package dev.millrace.executors.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A process of this host: its number and when it was born. The number alone may name another
 * process later.
 *
 * @param pid the process id
 * @param born the start time in the host's own notation: clock ticks since boot on Linux, else what
 *     {@code ps} prints
 */
record ProcessIdentity(long pid, String born) {
    private static final Path PROC = Path.of("/proc");

    /** Reads {@code "pid born"}; empty if the text is not (yet) of this form. */
    static Optional<ProcessIdentity> parse(String text) {
        String[] parts = text.strip().split(" ", 2);
        if (parts.length != 2
                || !text.endsWith("\n")
                || !parts[0].chars().allMatch(Character::isDigit)) {
            return Optional.empty();
        }
        return Optional.of(new ProcessIdentity(Long.parseLong(parts[0]), parts[1]));
    }

    /** Whether this very process still runs; a zombie does not. */
    boolean isAlive() {
        return bornNow().map(born::equals).orElse(false);
    }

    private Optional<String> bornNow() {
        if (Files.isDirectory(PROC.resolve("self"))) {
            return statFields(pid).filter(f -> !f.getFirst().equals("Z")).map(f -> f.get(19));
        }
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).map(_ -> startByPs());
    }

    /**
     * The fields of {@code /proc/pid/stat} from the state on; the command before it may hold
     * anything.
     */
    private static Optional<List<String>> statFields(long pid) {
        try {
            String stat =
                    Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            return Optional.of(
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ")));
        } catch (IOException gone) {
            // ESRCH or ENOENT: that the file cannot be read is the answer.
            return Optional.empty();
        }
    }

    private String startByPs() {
        ProcessBuilder ps = new ProcessBuilder("ps", "-o", "lstart=", "-p", Long.toString(pid));
        ps.environment().put("LC_ALL", "C");
        try {
            byte[] out = ps.start().getInputStream().readAllBytes();
            return new String(out, StandardCharsets.UTF_8).replaceAll("\\s+", "_");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run ps to look at process " + pid, e);
        }
    }
}
