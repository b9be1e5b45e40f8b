package dev.millrace.executors.process;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.Scalar;
import dev.millrace.schemas.workflow.ValueFrom;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads off a step's folder how the step ended. */
final class OutcomeReader {
    /** What a pod says that was ended by its deadline; clients look for this very text. */
    static final String DEADLINE = "Pod was active on the node longer than the specified deadline";

    private static final int MAX_RESULT_BYTES = 256 * 1024;

    private final int maxParameterBytes;

    OutcomeReader(int maxParameterBytes) {
        this.maxParameterBytes = maxParameterBytes;
    }

    /** The outcome of a step that no longer runs. */
    StepOutcome read(StepSpec spec, StepFolder folder) throws IOException {
        OptionalInt exit = folder.exitCode();
        Integer code = exit.isPresent() ? exit.getAsInt() : null;
        String result = spec.captureResult() ? result(folder.stdout()) : null;
        Optional<StepCommand.Stop> stop = folder.stop();
        if (stop.isPresent()) {
            return new StepOutcome(NodePhase.FAILED, stop.get().reason(), code, result, Map.of());
        }
        if (folder.isPastDeadline()) {
            return new StepOutcome(NodePhase.FAILED, DEADLINE, code, result, Map.of());
        }
        if (code == null) {
            return new StepOutcome(NodePhase.ERROR, lost(folder), null, result, Map.of());
        }
        Optional<String> refused = folder.sandboxFailure(code);
        if (refused.isPresent()) {
            return new StepOutcome(
                    NodePhase.ERROR,
                    "bubblewrap could not set the step up: " + refused.get(),
                    code,
                    null,
                    Map.of());
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        Optional<String> problem = collect(spec, folder.files(), parameters);
        if (code != 0) {
            String message = "main: Error (exit code %d)".formatted(code);
            return new StepOutcome(NodePhase.FAILED, message, code, result, parameters);
        }
        return problem.map(p -> new StepOutcome(NodePhase.ERROR, p, code, result, parameters))
                .orElseGet(
                        () -> new StepOutcome(NodePhase.SUCCEEDED, null, code, result, parameters));
    }

    private static String lost(StepFolder folder) {
        String who = folder.claim().map(c -> " (process " + c.pid() + ")").orElse("");
        return "the step was lost: the shell that ran it%s is gone and left no exit code. It was killed, or the host was restarted"
                .formatted(who);
    }

    private static @Nullable String result(Path stdout) throws IOException {
        if (!Files.exists(stdout)) {
            return null;
        }
        try (RandomAccessFile file = new RandomAccessFile(stdout.toFile(), "r")) {
            // One byte more: the trimmed newline does not count.
            long from = Math.max(0, file.length() - MAX_RESULT_BYTES - 1);
            file.seek(from);
            byte[] bytes = new byte[(int) (file.length() - from)];
            file.readFully(bytes);
            int end =
                    bytes.length > 0 && bytes[bytes.length - 1] == '\n'
                            ? bytes.length - 1
                            : bytes.length;
            int start = Math.max(0, end - MAX_RESULT_BYTES);
            // Not in the middle of a character.
            while (from + start > 0 && start < end && (bytes[start] & 0xC0) == 0x80) {
                start++;
            }
            return new String(bytes, start, end - start, StandardCharsets.UTF_8);
        }
    }

    /**
     * Reads the output parameters that are there; returns what is wrong with the first of the
     * others.
     */
    private Optional<String> collect(
            StepSpec spec, PrivateFiles files, Map<String, String> parameters) throws IOException {
        Outputs outputs = spec.template().outputs();
        if (outputs == null) {
            return Optional.empty();
        }
        @Nullable String problem = null;
        for (Parameter parameter : outputs.parameters()) {
            ValueFrom from = parameter.valueFrom();
            if (from == null || from.path() == null) {
                continue;
            }
            Optional<String> wrong = take(parameter.name(), from.path(), files, parameters);
            Scalar fallback = from.defaultValue();
            if (wrong.isPresent() && fallback != null) {
                parameters.put(parameter.name(), fallback.text());
            } else if (problem == null) {
                problem = wrong.orElse(null);
            }
        }
        return Optional.ofNullable(problem);
    }

    private Optional<String> take(
            String name, String path, PrivateFiles files, Map<String, String> parameters)
            throws IOException {
        Optional<Path> file = files.find(path);
        if (file.isEmpty()) {
            return Optional.of(
                    "outputs parameter %s: the step left no file at %s (valueFrom.default would stand in)"
                            .formatted(name, path));
        }
        // A pipe or device that a step left there would never end.
        if (!Files.isRegularFile(file.get())) {
            return Optional.of("outputs parameter %s: %s is not a file".formatted(name, path));
        }
        long size = Files.size(file.get());
        if (size > maxParameterBytes) {
            return Optional.of(
                    "outputs parameter %s: %s has %d bytes, more than the limit of %d; pass it on as an artifact, or raise executor.maxParameterBytes"
                            .formatted(name, path, size, maxParameterBytes));
        }
        String text = new String(Files.readAllBytes(file.get()), StandardCharsets.UTF_8);
        parameters.put(name, text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
        return Optional.empty();
    }

    /** The newest {@code done/total} of a progress file. */
    static Optional<String> progress(StepFolder folder) throws IOException {
        Optional<Path> file =
                folder.files().find(StepProcess.PROGRESS).filter(Files::isRegularFile);
        if (file.isEmpty() || Files.size(file.get()) > 64 * 1024) {
            return Optional.empty();
        }
        List<String> lines =
                new String(Files.readAllBytes(file.get()), StandardCharsets.UTF_8).lines().toList();
        return lines.reversed().stream()
                .map(String::strip)
                .filter(l -> l.matches("\\d+/\\d+"))
                .findFirst();
    }
}
