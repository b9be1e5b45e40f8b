package dev.millrace.bench.micro;

import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.workflowengine.core.WorkflowInput;
import java.util.List;
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

/**
 * What one finished step costs the core, with half of the workflow done. It should hardly depend on
 * the size: compare each pair of sizes.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class DecideBenchmark {

    /** What the workflow looks like, and how many tasks or items it has. */
    @Param({"dag-200", "dag-2000", "loop-100", "loop-1000"})
    public String shape = "dag-200";

    private RunningWorkflow workflow = RunningWorkflow.submitted(Specs.single());
    private WorkflowInput finished = workflow.nextFinished();

    /** Takes the workflow half way. */
    @Setup(Level.Trial)
    public void runHalf() {
        int dash = shape.indexOf('-');
        int size = Integer.parseInt(shape.substring(dash + 1));
        String spec = shape.startsWith("dag") ? Specs.dag(size) : Specs.loop(size);
        workflow = RunningWorkflow.submitted(spec).finish(size / 2 + 1);
        finished = workflow.nextFinished();
    }

    /** One report of a finished step. */
    @Benchmark
    public List<WorkflowEvent> finishedStep() {
        return workflow.decide(finished);
    }
}
