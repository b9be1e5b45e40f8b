package dev.millrace.executors;

import dev.millrace.schemas.workflow.Container;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One container of a step.
 *
 * @param name unique in its step
 * @param role when it runs
 * @param spec as the template has it, with the mounts that it shares with others
 * @param dependencies of a container set: the names of those that must have succeeded before
 * @param source the text of a script; null for a container
 */
public record StepContainer(
        String name,
        Role role,
        Container spec,
        List<String> dependencies,
        @Nullable String source) {

    /** The container that gives a step its result, exit code and outputs. */
    public static final String MAIN = "main";

    /** When a container runs. */
    public enum Role {
        /** To its end before anything that comes after it. */
        INIT,
        /** From its place among the init containers on, again and again until the mains end. */
        NATIVE_SIDECAR,
        /** When all init containers are done; the step ends with the last of these. */
        MAIN,
        /** Beside the mains, until they end. */
        SIDECAR
    }

    private String image() {
        String image = spec.image();
        return image == null ? "" : image;
    }

    /**
     * The command with its arguments.
     *
     * @throws StepRefusedException if neither the template nor the map of images has a command
     */
    public List<String> commandLine(Images images) throws StepRefusedException {
        List<String> command = spec.command();
        List<String> known = images.command(image()).orElse(List.of());
        if (command.isEmpty() && known.isEmpty()) {
            throw new StepRefusedException(
                    "image %s has no known command: images are not pulled here. Write the command into the template, or map the image to one in the server's configuration (setting images)"
                            .formatted(image()));
        }
        List<String> program = command.isEmpty() ? known : command;
        if (!known.isEmpty() && program.getFirst().equals("/" + known.getFirst())) {
            // An image has its program at the root, a stand-in lies on the PATH.
            program = Stream.concat(Stream.of(known.getFirst()), program.stream().skip(1)).toList();
        }
        return Stream.concat(program.stream(), spec.args().stream()).toList();
    }
}
