package dev.millrace.executors.process;

import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Inputs;
import dev.millrace.schemas.workflow.Template;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The input artifacts of main, as what is mounted in an init container or sidecar with {@code
 * mirrorVolumeMounts}.
 */
final class MirroredInputs {

    private MirroredInputs() {}

    /** For a container that mirrors nothing there are none. */
    static List<Mount> of(StepRun run, String container) throws IOException {
        Template template = run.spec.template();
        Inputs inputs = template.inputs();
        if (inputs == null || !mirrors(template, container)) {
            return List.of();
        }
        PrivateFiles main = run.folder.files();
        List<Mount> mounts = new ArrayList<>();
        for (Artifact artifact : inputs.artifacts()) {
            String path = artifact.path();
            // What lies in a volume is seen there; an optional one may be missing.
            if (path != null && path.startsWith("/") && !main.isMounted(path)) {
                Optional<Path> there = main.find(path);
                there.ifPresent(
                        host ->
                                mounts.add(
                                        new Mount(
                                                Path.of(path).normalize().toString(),
                                                host,
                                                false)));
            }
        }
        return mounts;
    }

    private static boolean mirrors(Template template, String container) {
        return Stream.concat(template.initContainers().stream(), template.sidecars().stream())
                .anyMatch(
                        c ->
                                container.equals(c.name())
                                        && Boolean.TRUE.equals(c.mirrorVolumeMounts()));
    }
}
