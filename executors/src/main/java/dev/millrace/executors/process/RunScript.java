package dev.millrace.executors.process;

import dev.millrace.executors.StepContainer;
import dev.millrace.executors.StepContainer.Role;
import dev.millrace.executors.StepContainers;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code run.sh}: what is particular to a step, then {@code supervise.sh}; and the
 * environments of its containers beside it.
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
     * @param containers what runs when
     * @param commands the command of this host and the whole environment of each container, by name
     * @param deadlineSeconds null for none
     * @param capture whether standard output of main is wanted by itself
     * @param lingering whether processes may outlive the command and hold its output open
     */
    record Particulars(
            StepContainers containers,
            Map<String, Command> commands,
            @Nullable Long deadlineSeconds,
            long graceSeconds,
            boolean capture,
            boolean lingering) {}

    /**
     * How a container is started.
     *
     * @param line the command of this host
     * @param env its whole environment
     */
    record Command(List<String> line, Map<String, String> env) {}

    void write(StepFolder folder, String stepId, Particulars step) throws IOException {
        StepContainers containers = step.containers();
        StringBuilder launches = new StringBuilder();
        StringBuilder needs = new StringBuilder();
        for (StepContainer container : containers.all()) {
            ContainerFolder place = folder.container(container.name());
            Command command = step.commands().get(container.name());
            if (command == null) {
                throw new IllegalArgumentException("no command for " + container.name());
            }
            List<String> line = writeEnvironment(place.environment(), command);
            String at = "./" + folder.dir().relativize(place.dir());
            String prefix = at.equals("./") ? "." : at;
            launches.append("        %s)\n".formatted(container.name()))
                    .append("            . %s/env.sh\n".formatted(prefix))
                    .append(
                            "            exec %s 3>%s/status\n            ;;\n"
                                    .formatted(ShellText.quote(line), prefix));
            if (!container.dependencies().isEmpty()) {
                needs.append(
                        "        %s) needed=%s ;;\n"
                                .formatted(
                                        container.name(),
                                        ShellText.quote(
                                                String.join(" ", container.dependencies()))));
            }
        }
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
                inits=%s
                natives=%s
                mains=%s
                sidecars=%s
                retries=%d
                pause=%s
                launch() (
                    case $1 in
                %s    esac
                )
                needs() {
                    needed=
                    case $1 in
                %s        *) ;;
                    esac
                }

                """
                        .formatted(
                                stepId.replaceAll("\\s", " "),
                                deadline == null ? "" : Math.max(0, deadline),
                                step.graceSeconds(),
                                step.capture() ? "yes" : "",
                                step.lingering() ? "yes" : "",
                                names(containers, Role.INIT, Role.NATIVE_SIDECAR),
                                names(containers, Role.NATIVE_SIDECAR),
                                names(containers, Role.MAIN),
                                names(containers, Role.SIDECAR),
                                containers.retries(),
                                seconds(containers),
                                launches,
                                needs);
        replace(folder.runScript(), text + supervise);
    }

    private static String seconds(StepContainers containers) {
        long millis = containers.retryPause().toMillis();
        return "%d.%03d".formatted(millis / 1000, millis % 1000);
    }

    private static String names(StepContainers containers, Role... roles) {
        return ShellText.quote(
                containers.in(roles).stream()
                        .map(StepContainer::name)
                        .collect(Collectors.joining(" ")));
    }

    /** Writes a script that runs one more command in the surroundings of the main container. */
    void writeProbe(StepFolder folder, List<String> line) throws IOException {
        String text =
                """
                #!/bin/sh
                # Not by exec: bwrap ends with its parent, which must not be a thread of the server.
                ( . ./env.sh; exec %s 3>/dev/null )
                exit $?
                """
                        .formatted(ShellText.quote(line));
        replace(folder.probeScript(), text);
    }

    /** Writes the file with the environment; gives the command line that goes with it. */
    private static List<String> writeEnvironment(Path file, Command command) throws IOException {
        StringBuilder exports = new StringBuilder();
        List<String> line = new ArrayList<>();
        command.env()
                .forEach(
                        (name, value) -> {
                            if (SHELL_NAME.matcher(name).matches()) {
                                exports.append("export ").append(name).append('=');
                                exports.append(ShellText.quote(value)).append('\n');
                            } else {
                                // Names such as "my.key" are legal in a container, but the shell
                                // cannot export them.
                                line.add(name + "=" + value);
                            }
                        });
        if (!line.isEmpty()) {
            line.addFirst("/usr/bin/env");
        }
        line.addAll(command.line());
        replace(file, exports.toString());
        return line;
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
