package dev.millrace.executors.kubernetes;

import dev.millrace.executors.StepContainer;
import dev.millrace.executors.StepContainer.Role;
import dev.millrace.executors.StepContainers;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes containers of a pod know of each other: those of a container set that wait for others or
 * are run again, and sidecars, which end with the mains. A first container puts a static busybox
 * and {@code run.sh} into a folder that all share; these run the containers' own commands.
 */
final class Wrapping {
    /** The container that puts the shell there. */
    static final String PREPARE = "millrace-prepare";

    private static final String FOLDER = "/var/run/argo";
    private static final String VOLUME = "millrace";
    private static final int GRACE_SECONDS = 30;
    private static final String RUN = resource();

    /** Safe to be run again, as after a restart of the node; steps may run as any user. */
    private static final String PREPARATION =
            """
            set -e
            cp "$(command -v busybox)" %1$s/busybox
            chmod 755 %1$s/busybox
            mkdir -p %1$s/ended %1$s/alive
            chmod 777 %1$s/ended %1$s/alive
            printf '%%s\\n' "$1" >%1$s/run
            chmod 755 %1$s/run
            """
                    .formatted(FOLDER);

    private final StepContainers containers;
    private final PodSetup setup;
    private final ObjectNode spec;
    private boolean wrapped;

    private Wrapping(StepContainers containers, PodSetup setup, ObjectNode spec) {
        this.containers = containers;
        this.setup = setup;
        this.spec = spec;
    }

    /**
     * Changes the containers of a pod that must know of others.
     *
     * @param spec finished but for this
     * @throws StepRefusedException if the command of such a container is not known
     */
    static void apply(StepContainers containers, PodSetup setup, ObjectNode spec)
            throws StepRefusedException {
        new Wrapping(containers, setup, spec).apply();
    }

    private void apply() throws StepRefusedException {
        List<StepContainer> mains = containers.in(Role.MAIN);
        List<StepContainer> sidecars = containers.in(Role.SIDECAR);
        List<String> watching = new ArrayList<>();
        for (StepContainer sidecar : sidecars) {
            ObjectNode tree = find(sidecar.name()).orElse(null);
            if (tree == null) {
                continue; // A patch took it away.
            }
            if (command(tree).isPresent()) {
                watching.add(sidecar.name());
            } else {
                makeNative(tree);
            }
        }
        boolean ordered =
                containers.retries() > 0
                        || mains.stream().anyMatch(main -> !main.dependencies().isEmpty());
        if (ordered || !watching.isEmpty()) {
            for (StepContainer main : mains) {
                wrap(main.name(), options(main));
            }
        }
        for (String sidecar : watching) {
            List<String> options = new ArrayList<>();
            mains.forEach(main -> options.addAll(List.of("--with", main.name())));
            options.addAll(List.of("--grace", Long.toString(grace())));
            wrap(sidecar, options);
        }
        if (wrapped) {
            prepare();
        }
    }

    private Optional<ObjectNode> find(String name) {
        for (JsonNode container : spec.path("containers")) {
            if (container instanceof ObjectNode tree
                    && tree.path("name").asString("").equals(name)) {
                return Optional.of(tree);
            }
        }
        return Optional.empty();
    }

    /**
     * Kubernetes itself ends it with the mains. It is what is left where the command is the image's
     * own and so not known: such a sidecar is a server as a rule, so that it hardly matters that it
     * would be started again if it ended by itself.
     */
    private void makeNative(ObjectNode sidecar) {
        ((ArrayNode) spec.path("containers")).removeIf(c -> c.equals(sidecar));
        spec.withArray("initContainers").add(sidecar.put("restartPolicy", "Always"));
    }

    private List<String> options(StepContainer main) {
        List<String> options = new ArrayList<>();
        main.dependencies().forEach(other -> options.addAll(List.of("--after", other)));
        if (containers.retries() > 0) {
            options.addAll(List.of("--retries", Integer.toString(containers.retries())));
            Duration pause = containers.retryPause();
            options.addAll(
                    List.of(
                            "--pause",
                            pause.toSeconds() + "." + "%03d".formatted(pause.toMillisPart())));
        }
        return options;
    }

    private long grace() {
        return spec.path("terminationGracePeriodSeconds").asLong(GRACE_SECONDS);
    }

    private Optional<List<String>> command(ObjectNode container) {
        List<String> own = texts(container.path("command"));
        return own.isEmpty()
                ? setup.images().command(container.path("image").asString(""))
                : Optional.of(own);
    }

    private void wrap(String name, List<String> options) throws StepRefusedException {
        ObjectNode container = find(name).orElseThrow();
        List<String> line =
                new ArrayList<>(
                        command(container)
                                .orElseThrow(
                                        () ->
                                                new StepRefusedException(
                                                        "container %s must be told when others end, and the command of image %s is not known: write the command into the template, or map the image to one in the server's configuration (setting images)"
                                                                .formatted(
                                                                        name,
                                                                        container
                                                                                .path("image")
                                                                                .asString("")))));
        line.addAll(texts(container.path("args")));
        ArrayNode command = container.putArray("command");
        List.of(FOLDER + "/busybox", "sh", FOLDER + "/run", "--name", name).forEach(command::add);
        options.forEach(command::add);
        command.add("--");
        ArrayNode args = container.putArray("args");
        line.forEach(args::add);
        container.withArray("volumeMounts").add(mount());
        wrapped = true;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(item -> texts.add(item.asString("")));
        return texts;
    }

    private static ObjectNode mount() {
        return Json.object().put("name", VOLUME).put("mountPath", FOLDER);
    }

    private void prepare() {
        ObjectNode container = Json.object().put("name", PREPARE).put("image", setup.helperImage());
        ArrayNode command = container.putArray("command");
        List.of("sh", "-c", PREPARATION, PREPARE, RUN).forEach(command::add);
        container.putArray("volumeMounts").add(mount());
        // For namespaces that demand them; those of a first container add nothing to the pod's.
        ObjectNode resources = container.putObject("resources");
        resources.putObject("requests").put("cpu", "10m").put("memory", "16Mi");
        resources.putObject("limits").put("cpu", "500m").put("memory", "64Mi");
        ObjectNode security = container.putObject("securityContext");
        security.put("allowPrivilegeEscalation", false).put("readOnlyRootFilesystem", true);
        security.putObject("capabilities").putArray("drop").add("ALL");
        ArrayNode first = spec.arrayNode().add(container);
        first.addAll(spec.withArray("initContainers"));
        spec.set("initContainers", first);
        spec.withArray("volumes").addObject().put("name", VOLUME).putObject("emptyDir");
    }

    private static String resource() {
        try (InputStream in = Wrapping.class.getResourceAsStream("run.sh")) {
            if (in == null) {
                throw new IllegalStateException("run.sh is missing in the jar");
            }
            // Comments are for readers of the source, not of a pod.
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll("(?m)^ *#.*\n", "")
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
