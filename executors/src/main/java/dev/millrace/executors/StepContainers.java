package dev.millrace.executors;

import dev.millrace.executors.StepContainer.Role;
import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Container;
import dev.millrace.schemas.workflow.ContainerNode;
import dev.millrace.schemas.workflow.ContainerSet;
import dev.millrace.schemas.workflow.Template;
import dev.millrace.schemas.workflow.UserContainer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * All containers of a step, as a pod would have them.
 *
 * @param all init containers and native sidecars in order, then the mains, then the sidecars
 * @param retries how often a main container that failed is run again, from 0
 * @param retryPause between these
 */
public record StepContainers(List<StepContainer> all, int retries, Duration retryPause) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

    public StepContainers {
        all = List.copyOf(all);
    }

    /**
     * Reads the containers of a step.
     *
     * @throws StepRefusedException if the template is of a type that has none, or their names are
     *     of no use
     */
    public static StepContainers of(StepSpec step) throws StepRefusedException {
        Template template = step.template();
        List<StepContainer> mains = mains(template);
        List<StepContainer> all = new ArrayList<>();
        for (UserContainer init : template.initContainers()) {
            Role role = "Always".equals(init.restartPolicy()) ? Role.NATIVE_SIDECAR : Role.INIT;
            all.add(beside(init, role, mains));
        }
        all.addAll(mains);
        for (UserContainer sidecar : template.sidecars()) {
            all.add(beside(sidecar, Role.SIDECAR, mains));
        }
        Set<String> names = new HashSet<>();
        for (StepContainer container : all) {
            // Names become names of files, and words of a shell.
            if (!isName(container.name()) || !names.add(container.name())) {
                throw new StepRefusedException(
                        "template %s: the container name '%s' must be letters, digits and hyphens, and no other container's"
                                .formatted(template.name(), container.name()));
            }
        }
        JsonNode strategy =
                template.containerSet() == null ? null : template.containerSet().retryStrategy();
        return new StepContainers(all, retries(strategy), pause(strategy));
    }

    private static List<StepContainer> mains(Template template) throws StepRefusedException {
        if (template.container() != null) {
            return List.of(
                    new StepContainer(
                            StepContainer.MAIN, Role.MAIN, template.container(), List.of(), null));
        }
        if (template.script() != null) {
            Container container = Json.convert(Json.tree(template.script()), Container.class);
            return List.of(
                    new StepContainer(
                            StepContainer.MAIN,
                            Role.MAIN,
                            container,
                            List.of(),
                            template.script().source()));
        }
        ContainerSet set = template.containerSet();
        if (set == null) {
            throw new StepRefusedException(
                    "template %s: this executor runs container, script and containerSet templates only"
                            .formatted(template.name()));
        }
        List<StepContainer> mains = new ArrayList<>();
        for (ContainerNode node : set.containers()) {
            mains.add(
                    new StepContainer(
                            text(node.name()),
                            Role.MAIN,
                            withMounts(Json.tree(node), set.volumeMounts()),
                            node.dependencies(),
                            null));
        }
        return mains;
    }

    private static StepContainer beside(
            UserContainer container, Role role, List<StepContainer> mains) {
        Container spec = withMounts(Json.tree(container), null);
        if (Boolean.TRUE.equals(container.mirrorVolumeMounts())) {
            for (StepContainer main : mains) {
                spec = withMounts(Json.tree(spec), main.spec().volumeMounts());
            }
        }
        return new StepContainer(text(container.name()), role, spec, List.of(), null);
    }

    /** The container with these mounts beside its own, of which none has the same path. */
    private static Container withMounts(JsonNode container, @Nullable JsonNode mounts) {
        ObjectNode copy = (ObjectNode) container.deepCopy();
        if (mounts != null) {
            ArrayNode own = copy.withArray("volumeMounts");
            Set<String> taken = new HashSet<>();
            own.forEach(m -> taken.add(m.path("mountPath").asString("")));
            mounts.forEach(
                    m -> {
                        if (taken.add(m.path("mountPath").asString(""))) {
                            own.add(m);
                        }
                    });
        }
        return Json.convert(copy, Container.class);
    }

    private static String text(@Nullable String name) {
        return name == null ? "" : name;
    }

    private static int retries(@Nullable JsonNode strategy) throws StepRefusedException {
        String text = strategy == null ? "" : strategy.path("retries").asString("");
        if (text.isEmpty()) {
            return 0;
        }
        if (!text.matches("\\d{1,9}")) {
            throw new StepRefusedException(
                    "containerSet.retryStrategy.retries must be a whole number, not " + text);
        }
        return Integer.parseInt(text);
    }

    private static Duration pause(@Nullable JsonNode strategy) throws StepRefusedException {
        String text = strategy == null ? "" : strategy.path("duration").asString("");
        try {
            return text.isEmpty() ? Duration.ZERO : GoDuration.parse(text);
        } catch (DurationSyntaxException e) {
            throw new StepRefusedException(
                    "containerSet.retryStrategy.duration: " + e.getMessage(), e);
        }
    }

    /** Whether a text can be the name of a container. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Those that run in a role, in order. */
    public List<StepContainer> in(Role... roles) {
        List<Role> wanted = List.of(roles);
        return all.stream().filter(c -> wanted.contains(c.role())).toList();
    }

    /** The container called {@code main}. */
    public Optional<StepContainer> main() {
        return all.stream().filter(c -> c.name().equals(StepContainer.MAIN)).findFirst();
    }
}
