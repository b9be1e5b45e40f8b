package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.workflowengine.core.NodeNames;
import dev.millrace.workflowengine.core.WorkflowInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Plays one workflow to its end on the core and on the model at once: steps begin and end, time
 * goes by, locks are answered, somebody resumes or stops. After each input both must say the same.
 */
final class Play implements Precedence {
    private static final int MOST_INPUTS = 3_000;

    private final long seed;
    private final Random random;
    private final int luck;
    private final int mostErrors;
    private final boolean stops;
    private final boolean stopsLate;
    private final CorePlay core;
    private final SlowTree model;
    private final List<String> story = new ArrayList<>();
    private final Flow flow;
    private Instant now = Instant.parse("2026-01-01T00:00:00.250Z");
    private boolean stopped;

    private Play(Flow flow, long seed, int budget) {
        this.seed = seed;
        this.random = new Random(seed);
        this.luck = random.nextInt(4);
        this.mostErrors = random.nextInt(3);
        this.stops = random.nextInt(4) == 0;
        this.stopsLate = flow.hooks().containsKey(Flow.EXIT) && random.nextBoolean();
        this.core = new CorePlay(budget);
        this.model = new SlowTree(flow, now);
        this.flow = flow;
    }

    /**
     * @throws AssertionError if core and model differ
     */
    static CorePlay run(Flow flow, long seed, int budget) {
        Play play = new Play(flow, seed, budget);
        try {
            play.run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    e.getMessage()
                            + "\n"
                            + FlowText.yaml(flow)
                            + "\n"
                            + String.join("\n", play.story),
                    e);
        }
        return play.core;
    }

    private void run() {
        feed("submit", CorePlay.submission(FlowText.tree(flow)));
        for (int i = 0; !core.done(); i++) {
            if (i > MOST_INPUTS) {
                throw new AssertionError("it does not end");
            }
            advance();
        }
        if (!core.running.isEmpty() || !core.state().openNodes().isEmpty()) {
            throw new AssertionError("it is done, but not all of it");
        }
        List<String> held = core.held();
        if (!held.isEmpty() || !core.timers.isEmpty()) {
            throw new AssertionError("it is done, but holds " + held + " and " + core.timers);
        }
    }

    private void advance() {
        WorkflowCommand.LockAnswer answer = core.answers.peek();
        boolean before = core.head().startedAt() == null;
        if (before && stops && !stopped && !stopsLate && random.nextBoolean()) {
            stop();
            return;
        }
        if (answer != null && (core.running.isEmpty() || random.nextInt(3) > 0)) {
            core.answers.poll();
            answer(answer);
            return;
        }
        now = now.plusMillis(1 + random.nextInt(900));
        if (rings()) {
            return;
        }
        boolean inTime = !stopsLate || core.head().stage() == WorkflowStage.EXIT_HANDLER;
        if (stops && !stopped && inTime && random.nextInt(stopsLate ? 4 : 8) == 0) {
            stop();
            return;
        }
        List<StepSpec> running = new ArrayList<>(core.running.values());
        if (!running.isEmpty() && random.nextInt(6) > 0) {
            step(running.get(random.nextInt(running.size())));
            return;
        }
        if (waitsForTime()) {
            return;
        }
        boolean paused =
                core.state().openNodes().stream()
                        .map(id -> Objects.requireNonNull(core.state().node(id)))
                        .anyMatch(Play::paused);
        if (paused) {
            resume();
        } else if (running.isEmpty() && answer == null) {
            throw new AssertionError(
                    "nothing can happen any more, but it is not done: "
                            + core.state().openNodes().stream()
                                    .map(id -> Objects.requireNonNull(core.state().node(id)))
                                    .map(n -> n.name() + " " + n.type() + " " + n.frame())
                                    .toList());
        }
    }

    private static boolean paused(Node node) {
        return node.type() == NodeType.SUSPEND && node.phase() == NodePhase.RUNNING;
    }

    /** A timer that came due while something else happened. */
    private boolean rings() {
        return core.timers.values().stream().anyMatch(t -> !t.isAfter(now)) && waitsForTime();
    }

    private boolean waitsForTime() {
        var next = core.timers.entrySet().stream().min(Map.Entry.comparingByValue());
        if (next.isEmpty()) {
            return false;
        }
        String timer = next.get().getKey();
        Instant due = next.get().getValue();
        core.timers.remove(timer);
        now = due.isAfter(now) ? due : now;
        model.next(now);
        if (timer.equals("deadline")) {
            if (!due.equals(model.root.deadline())) {
                throw new AssertionError(
                        "the deadline is " + model.root.deadline() + ", not " + due);
            }
            model.deadlinePasses();
        } else {
            rings(timer, due);
        }
        feed("time: " + timer, new WorkflowInput.TimerFired(timer));
        return true;
    }

    private void rings(String timer, Instant due) {
        String kind = timer.substring(0, timer.indexOf('/'));
        String id = timer.substring(timer.indexOf('/') + 1);
        String name = Objects.requireNonNull(core.state().node(id)).name();
        Spot spot = model.get(name);
        Instant begun = Objects.requireNonNullElse(spot.begun, spot.started);
        Instant expected =
                switch (kind) {
                    case "suspend" ->
                            begun.plusSeconds(((Flow.Pause) spot.template().body()).seconds());
                    case "pending" -> spot.started.plusSeconds(spot.template().seconds());
                    case "retry" ->
                            SlowRetry.due(
                                    Objects.requireNonNull(model.retry(spot.template())),
                                    spot.attempts());
                    default -> throw new AssertionError("what is the timer " + timer + " for?");
                };
        if (!due.equals(expected)) {
            throw new AssertionError(timer + " is due " + expected + ", not " + due);
        }
        switch (kind) {
            case "suspend" -> model.goesOn(name, null);
            case "pending" -> {
                if (spot.phase == NodePhase.PENDING) {
                    model.tooLate(name);
                }
            }
            default -> model.tries(name);
        }
    }

    private void answer(WorkflowCommand.LockAnswer answer) {
        LockHolder holder = answer.holder();
        Node node = holder.nodeId() == null ? null : core.state().node(holder.nodeId());
        String name = node == null ? null : node.name();
        boolean wanted = name == null ? !model.root.done() : model.get(name).waitsForLocks();
        model.next(now);
        if (wanted) {
            switch (answer) {
                case WorkflowCommand.LockGranted _ -> model.granted(name);
                case WorkflowCommand.LockWaiting(_, _, var message) -> model.awaited(name, message);
                case WorkflowCommand.LockRefused(_, var message) ->
                        throw new AssertionError(message);
            }
        }
        feed("lock: " + answer, new WorkflowInput.Command(answer));
    }

    private void stop() {
        ShutdownStrategy strategy =
                random.nextInt(3) == 0 ? ShutdownStrategy.TERMINATE : ShutdownStrategy.STOP;
        stopped = true;
        model.next(now);
        model.shutsDown(strategy);
        feed(
                strategy.text(),
                new WorkflowInput.Command(
                        new WorkflowCommand.Shutdown(
                                "stop", "default", SlowTree.NAME, strategy, null, null)));
    }

    private void resume() {
        String by = "ann";
        model.next(now);
        for (Spot spot : List.copyOf(model.spots())) {
            if (spot.type == NodeType.SUSPEND && spot.phase == NodePhase.RUNNING) {
                model.goesOn(spot.name(), "Resumed by: map[User:" + by + "]");
            }
        }
        feed(
                "resume",
                new WorkflowInput.Command(
                        new WorkflowCommand.Resume(
                                "resume-" + story.size(), "default", SlowTree.NAME, null, by)));
    }

    private void step(StepSpec spec) {
        Node node = Objects.requireNonNull(core.state().node(spec.nodeId()));
        if (node.phase() == NodePhase.PENDING && random.nextInt(3) > 0) {
            model.next(now);
            model.begins(node.name());
            feed(
                    "begins: " + node.name(),
                    new WorkflowInput.Report(
                            new StepReport.Started(
                                    spec.stepId(), spec.nodeId(), spec.workflow(), now, "host")));
            return;
        }
        core.running.remove(spec.nodeId());
        StepOutcome outcome = outcome(spec);
        model.next(now);
        model.ends(node.name(), outcome);
        feed(
                "ends: " + node.name() + " " + outcome.phase() + " " + outcome.exitCode(),
                new WorkflowInput.Report(
                        new StepReport.Finished(
                                spec.stepId(), spec.nodeId(), spec.workflow(), now, now, outcome)));
    }

    /** By the name of the node: whatever the order, it ends like this. */
    private StepOutcome outcome(StepSpec spec) {
        int chance = Math.floorMod((spec.nodeName() + seed).hashCode() * 31, 10 + 10 * luck);
        String value = Integer.toString(chance % 10);
        if (chance <= mostErrors) {
            return new StepOutcome(NodePhase.ERROR, "lost", null, null, Map.of());
        }
        if (chance < 4) {
            String message = "main: Error (exit code " + chance + ")";
            String printed = spec.captureResult() ? value : null;
            return new StepOutcome(NodePhase.FAILED, message, chance, printed, Map.of());
        }
        boolean gives =
                spec.template().outputs() != null
                        && !spec.template().outputs().parameters().isEmpty();
        return new StepOutcome(
                NodePhase.SUCCEEDED,
                null,
                0,
                spec.captureResult() ? value : null,
                gives ? Map.of("out", value) : Map.of());
    }

    private void feed(String what, WorkflowInput input) {
        story.add(now + " " + what);
        core.feed(input, now);
        model.settle(this);
        List<String> differences = Agreement.differences(core.state(), model);
        if (!differences.isEmpty()) {
            throw new AssertionError(
                    differences.size() + " differences:\n" + String.join("\n", differences));
        }
        model.waitFor()
                .forEach(
                        timer -> {
                            if (!core.timers.containsKey(timer)) {
                                throw new AssertionError("nothing waits for " + timer);
                            }
                        });
    }

    @Override
    public boolean made(String name) {
        return node(name) != null;
    }

    @Override
    public boolean ended(String name) {
        Node node = node(name);
        return node != null && node.ended();
    }

    @Override
    public boolean began(String name) {
        Node node = node(name);
        return node != null && !node.awaitsLocks();
    }

    @Override
    public int since(String name) {
        return core.made.getOrDefault(NodeNames.id(SlowTree.NAME, name), Integer.MAX_VALUE);
    }

    @Override
    public int place(String above, String name) {
        Node node = node(above);
        int place =
                node == null
                        ? -1
                        : core.state()
                                .children(node.id())
                                .indexOf(NodeNames.id(SlowTree.NAME, name));
        return place < 0 ? Integer.MAX_VALUE : place;
    }

    private @Nullable Node node(String name) {
        return core.state().node(NodeNames.id(SlowTree.NAME, name));
    }
}
