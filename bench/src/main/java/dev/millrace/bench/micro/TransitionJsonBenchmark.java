package dev.millrace.bench.micro;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.core.WorkflowInput;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The JSON of what one input did to a workflow. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class TransitionJsonBenchmark {

    private static final JsonSerde<WorkflowTransition> SERDE =
            JsonSerde.of(WorkflowTransition.class);

    /** A finished step of a DAG of 200 tasks, or the submission of a workflow of one step. */
    @Param({"finished-step", "submission"})
    public String input = "finished-step";

    private WorkflowTransition transition = transition(input);
    private byte[] json = SERDE.encode(transition);

    /** Decides what is written and read. */
    @Setup(Level.Trial)
    public void decide() {
        transition = transition(input);
        json = SERDE.encode(transition);
    }

    /** To bytes. */
    @Benchmark
    public byte[] written() {
        return SERDE.encode(transition);
    }

    /** From bytes. */
    @Benchmark
    public WorkflowTransition read() {
        return SERDE.decode("bench", json);
    }

    private static WorkflowTransition transition(String input) {
        if (input.equals("submission")) {
            return record(
                    RunningWorkflow.notSubmitted(), RunningWorkflow.submission(Specs.single()));
        }
        RunningWorkflow workflow = RunningWorkflow.submitted(Specs.dag(200)).finish(101);
        return record(workflow, workflow.nextFinished());
    }

    private static WorkflowTransition record(RunningWorkflow workflow, WorkflowInput input) {
        return new WorkflowTransition(
                "default",
                "measured",
                "uid",
                102,
                Instant.parse("2026-01-01T00:00:00Z"),
                workflow.decide(input));
    }
}
