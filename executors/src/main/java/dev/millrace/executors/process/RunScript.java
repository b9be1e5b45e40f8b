package dev.millrace.executors.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code run.sh}: what is particular to a step, then {@code supervise.sh}; and its
 * environment beside it.
 */
final class RunScript {
    private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final String supervise;

    RunScript() throws IOException {
        try (InputStream in = RunScript.class.getResourceAsStream("supervise.sh")) {
            if (in == null) {
                throw new IllegalStateException("supervise.sh is missing in the jar");
            }
            this.supervise = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /**
     * What is particular to a step.
     *
     * @param commandLine the command of this host
     * @param env its whole environment
     * @param deadlineSeconds null for none
     * @param capture whether standard output is wanted by itself
     * @param lingering whether processes may outlive the command and hold its output open
     */
    record Particulars(
            List<String> commandLine,
            Map<String, String> env,
            @Nullable Long deadlineSeconds,
            long graceSeconds,
            boolean capture,
            boolean lingering) {}

    void write(StepFolder folder, String stepId, Particulars step) throws IOException {
        StringBuilder exports = new StringBuilder();
        List<String> commandLine = new ArrayList<>();
        step.env()
                .forEach(
                        (name, value) -> {
                            if (SHELL_NAME.matcher(name).matches()) {
                                exports.append("export ").append(name).append('=');
                                exports.append(ShellText.quote(value)).append('\n');
                            } else {
                                // Names such as "my.key" are legal in a container, but the shell
                                // cannot export them.
                                commandLine.add(name + "=" + value);
                            }
                        });
        if (!commandLine.isEmpty()) {
            commandLine.addFirst("/usr/bin/env");
        }
        commandLine.addAll(step.commandLine());
        Long deadline = step.deadlineSeconds();
        String text =
                """
                #!/bin/sh
                # Step %s. Made by Millrace; removed when the step has ended.
                umask 022
                deadline=%s
                grace=%d
                capture=%s
                lingering=%s
                launch() (
                    . ./env.sh
                    exec %s 3>status
                )

                """
                        .formatted(
                                stepId.replaceAll("\\s", " "),
                                deadline == null ? "" : Math.max(0, deadline),
                                step.graceSeconds(),
                                step.capture() ? "yes" : "",
                                step.lingering() ? "yes" : "",
                                ShellText.quote(commandLine));
        replace(folder.environment(), exports.toString());
        replace(folder.runScript(), text + supervise);
    }

    /** By a rename: a shell of an earlier server may be reading the old one. */
    private static void replace(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        Files.createFile(
                fresh,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(fresh, text);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
