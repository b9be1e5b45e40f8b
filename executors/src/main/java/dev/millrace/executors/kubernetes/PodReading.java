package dev.millrace.executors.kubernetes;

import dev.millrace.executors.StepContainer;
import dev.millrace.executors.StepContainer.Role;
import dev.millrace.executors.StepContainers;
import dev.millrace.schemas.record.ContainerEnd;
import dev.millrace.schemas.record.NodePhase;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads off a pod's status what became of its step. The messages are those that clients of the
 * field look for.
 */
final class PodReading {
    private static final String DEADLINE = "DeadlineExceeded";
    private static final Set<Integer> ENDED_BY_SIGNAL = Set.of(137, 143);

    /** Said of every container whose turn has not come; it explains nothing. */
    private static final Set<String> ITS_TURN_COMES =
            Set.of("PodInitializing", "ContainerCreating");

    private final StepContainers template;
    private final Set<String> helpers;
    private final PodStatus status;
    private final Map<String, ContainerStatus> init;
    private final Map<String, ContainerStatus> others;

    private PodReading(StepContainers template, Set<String> helpers, PodStatus status) {
        this.template = template;
        this.helpers = helpers;
        this.status = status;
        this.init = byName(status.getInitContainerStatuses());
        this.others = byName(status.getContainerStatuses());
    }

    /**
     * Where a pod stands.
     *
     * @param template the containers of its step
     * @param helpers names of containers that the step has for its own needs; what neither knows
     *     was added by the cluster
     * @param pod as the cluster has it
     */
    static PodState read(StepContainers template, Set<String> helpers, Pod pod) {
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        return new PodReading(template, helpers, status)
                .state(pod.getSpec() == null ? null : pod.getSpec().getNodeName());
    }

    private static Map<String, ContainerStatus> byName(List<ContainerStatus> statuses) {
        Map<String, ContainerStatus> map = new LinkedHashMap<>();
        statuses.forEach(s -> map.put(s.getName(), s));
        return map;
    }

    private PodState state(@Nullable String node) {
        String phase = Objects.requireNonNullElse(status.getPhase(), "Pending");
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            return ended(phase.equals("Failed"), false);
        }
        Optional<Instant> started = started();
        if (started.isEmpty()) {
            return new PodState.Pending(whyPending());
        }
        if (mainsAreDone() && noHelperRuns() && strangersRun()) {
            return ended(failure().isPresent(), true);
        }
        return new PodState.Running(started.get(), node, isReady() ? status.getPodIP() : null);
    }

    private Stream<StepContainer> mains() {
        return template.in(Role.MAIN).stream();
    }

    private boolean mainsAreDone() {
        return mains().allMatch(main -> terminated(others.get(main.name())) != null);
    }

    /** The kubelet ends these only when all other containers have ended; strangers may never. */
    private boolean noHelperRuns() {
        return init.values().stream().noneMatch(s -> s.getState() != null && isRunning(s));
    }

    private boolean strangersRun() {
        Set<String> mains = Set.copyOf(mains().map(StepContainer::name).toList());
        return others.values().stream().anyMatch(s -> !mains.contains(s.getName()) && isRunning(s));
    }

    private static boolean isRunning(ContainerStatus container) {
        return container.getState() != null && container.getState().getRunning() != null;
    }

    private boolean isReady() {
        return condition("Ready").filter(c -> "True".equals(c.getStatus())).isPresent();
    }

    private Optional<PodCondition> condition(String type) {
        return status.getConditions().stream().filter(c -> type.equals(c.getType())).findFirst();
    }

    /** When the first main container began. */
    private Optional<Instant> started() {
        return mains().map(main -> others.get(main.name()))
                .filter(Objects::nonNull)
                .flatMap(s -> Stream.ofNullable(s.getState()))
                .flatMap(PodReading::began)
                .map(Instant::parse)
                .min(Instant::compareTo);
    }

    private static Stream<String> began(ContainerState state) {
        if (state.getRunning() != null) {
            return Stream.ofNullable(state.getRunning().getStartedAt());
        }
        return state.getTerminated() == null
                ? Stream.empty()
                : Stream.ofNullable(state.getTerminated().getStartedAt());
    }

    private @Nullable String whyPending() {
        Optional<String> waiting =
                Stream.concat(init.values().stream(), others.values().stream())
                        .flatMap(s -> Stream.ofNullable(s.getState()))
                        .flatMap(state -> Stream.ofNullable(state.getWaiting()))
                        .filter(w -> w.getReason() != null)
                        .filter(w -> !ITS_TURN_COMES.contains(w.getReason()))
                        .map(PodReading::text)
                        .findFirst();
        return waiting.or(
                        () ->
                                condition("PodScheduled")
                                        .filter(c -> "False".equals(c.getStatus()))
                                        .map(c -> text(c.getReason(), c.getMessage())))
                .orElse(null);
    }

    private static String text(ContainerStateWaiting waiting) {
        return text(waiting.getReason(), waiting.getMessage());
    }

    private static String text(@Nullable String reason, @Nullable String message) {
        String first = reason == null ? "" : reason;
        if (message == null || message.isEmpty()) {
            return first;
        }
        return first.isEmpty() ? message : first + ": " + message;
    }

    private PodState.Ended ended(boolean failed, boolean leftRunning) {
        Instant started = started().orElse(null);
        Optional<Failure> failure =
                failed ? ofPod(started).or(this::failure).or(this::unexplained) : failure();
        String reason = status.getReason();
        boolean replaceable =
                failed && started == null && reason != null && !reason.equals(DEADLINE);
        return new PodState.Ended(
                started,
                failure.map(Failure::phase).orElse(NodePhase.SUCCEEDED),
                failure.map(Failure::message).orElse(null),
                exitCode(),
                containerEnds(),
                replaceable,
                leftRunning);
    }

    private record Failure(NodePhase phase, String message) {}

    /** What the cluster did to the pod as a whole. */
    private Optional<Failure> ofPod(@Nullable Instant started) {
        String message = status.getMessage();
        String reason = status.getReason();
        boolean said = message != null && !message.isEmpty();
        if (started == null && reason != null && !reason.equals(DEADLINE)) {
            return Optional.of(
                    new Failure(
                            NodePhase.FAILED,
                            "Pod failed before main container starts due to "
                                    + text(reason, message)));
        }
        return said ? Optional.of(new Failure(NodePhase.FAILED, message)) : Optional.empty();
    }

    /** What the first container says that failed, in the order in which clients expect it. */
    private Optional<Failure> failure() {
        for (ContainerStatus container : init.values()) {
            NodePhase phase =
                    helpers.contains(container.getName()) ? NodePhase.ERROR : NodePhase.FAILED;
            Optional<Failure> failure = failure(container, phase);
            if (failure.isPresent() && !wasTold(container)) {
                return failure;
            }
        }
        List<StepContainer> ordered = new ArrayList<>(template.main().stream().toList());
        ordered.addAll(template.in(Role.MAIN));
        for (StepContainer main : ordered) {
            Optional<Failure> failure = failure(others.get(main.name()), NodePhase.FAILED);
            if (failure.isPresent()) {
                return failure;
            }
        }
        return others.values().stream()
                .filter(s -> !wasTold(s))
                .flatMap(s -> failure(s, NodePhase.FAILED).stream())
                .findFirst();
    }

    /** Whether a container that runs beside the mains was ended with them, by its signal. */
    private boolean wasTold(ContainerStatus container) {
        ContainerStateTerminated end = terminated(container);
        boolean beside =
                !helpers.contains(container.getName())
                        && template.all().stream()
                                .filter(c -> c.name().equals(container.getName()))
                                .noneMatch(c -> c.role() == Role.INIT || c.role() == Role.MAIN);
        return beside && end != null && ENDED_BY_SIGNAL.contains(end.getExitCode());
    }

    private static Optional<Failure> failure(@Nullable ContainerStatus container, NodePhase phase) {
        ContainerStateTerminated end = terminated(container);
        if (container == null || end == null || end.getExitCode() == 0) {
            return Optional.empty();
        }
        return Optional.of(new Failure(phase, container.getName() + ": " + text(end)));
    }

    private static String text(ContainerStateTerminated end) {
        String reason = Objects.requireNonNullElse(end.getReason(), "Error");
        String code = "%s (exit code %d)".formatted(reason, end.getExitCode());
        String message = end.getMessage() == null ? "" : end.getMessage().strip();
        return message.isEmpty() ? code : code + ": " + message;
    }

    /** A pod fails with any of its containers; one that was told to end is none of the step's. */
    private Optional<Failure> unexplained() {
        return mainsAreDone()
                ? Optional.empty()
                : Optional.of(
                        new Failure(
                                NodePhase.ERROR,
                                "the pod failed, and neither it nor any of its containers says why"));
    }

    private @Nullable Integer exitCode() {
        return template.main()
                .map(main -> terminated(others.get(main.name())))
                .map(ContainerStateTerminated::getExitCode)
                .orElse(null);
    }

    private List<ContainerEnd> containerEnds() {
        List<ContainerEnd> ends = new ArrayList<>();
        for (StepContainer main : template.in(Role.MAIN)) {
            ContainerStateTerminated end = terminated(others.get(main.name()));
            if (end != null) {
                boolean good = end.getExitCode() == 0;
                ends.add(
                        new ContainerEnd(
                                main.name(),
                                good ? NodePhase.SUCCEEDED : NodePhase.FAILED,
                                good ? null : text(end),
                                end.getExitCode()));
            }
        }
        return ends;
    }

    private static @Nullable ContainerStateTerminated terminated(@Nullable ContainerStatus status) {
        return status == null || status.getState() == null
                ? null
                : status.getState().getTerminated();
    }
}
