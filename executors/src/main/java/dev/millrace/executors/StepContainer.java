package dev.millrace.executors;

import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Container;
import dev.millrace.schemas.workflow.EnvFromSource;
import dev.millrace.schemas.workflow.EnvVar;
import dev.millrace.schemas.workflow.Script;
import dev.millrace.schemas.workflow.Template;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The main container of a step, whether its template calls it a container or a script.
 *
 * @param source the text of a script; null for a container
 */
public record StepContainer(
        String image,
        List<String> command,
        List<String> args,
        List<EnvVar> env,
        List<EnvFromSource> envFrom,
        @Nullable String workingDir,
        @Nullable JsonNode resources,
        @Nullable JsonNode volumeMounts,
        @Nullable String source) {

    /**
     * Reads the container of a step.
     *
     * @throws StepRefusedException if the template is of another type, or has parts that cannot run
     *     beside it
     */
    public static StepContainer of(StepSpec step) throws StepRefusedException {
        Template template = step.template();
        Container container = template.container();
        Script script = template.script();
        if (!template.sidecars().isEmpty() || !template.initContainers().isEmpty()) {
            throw new StepRefusedException(
                    "template %s: sidecars and initContainers need a pod; this executor runs the main container only"
                            .formatted(template.name()));
        }
        if (container != null) {
            return new StepContainer(
                    image(container.image()),
                    container.command(),
                    container.args(),
                    container.env(),
                    container.envFrom(),
                    container.workingDir(),
                    container.resources(),
                    container.volumeMounts(),
                    null);
        }
        if (script != null) {
            return new StepContainer(
                    image(script.image()),
                    script.command(),
                    script.args(),
                    script.env(),
                    script.envFrom(),
                    script.workingDir(),
                    script.resources(),
                    script.volumeMounts(),
                    script.source());
        }
        throw new StepRefusedException(
                "template %s: this executor runs container and script templates only"
                        .formatted(template.name()));
    }

    private static String image(@Nullable String image) {
        return image == null ? "" : image;
    }

    /**
     * The command with its arguments.
     *
     * @throws StepRefusedException if neither the template nor the map of images has a command
     */
    public List<String> commandLine(Images images) throws StepRefusedException {
        List<String> known = images.command(image).orElse(List.of());
        if (command.isEmpty() && known.isEmpty()) {
            throw new StepRefusedException(
                    "image %s has no known command: images are not pulled here. Write the command into the template, or map the image to one in the server's configuration (setting images)"
                            .formatted(image));
        }
        List<String> program = command.isEmpty() ? known : command;
        if (!known.isEmpty() && program.getFirst().equals("/" + known.getFirst())) {
            // An image has its program at the root, a stand-in lies on the PATH.
            program = Stream.concat(Stream.of(known.getFirst()), program.stream().skip(1)).toList();
        }
        return Stream.concat(program.stream(), args.stream()).toList();
    }
}
