package dev.millrace.bench.load;

import dev.millrace.executors.Executor;
import dev.millrace.executors.ReportSink;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** An executor whose steps take no time: what is left is the engine's own cost. */
final class AtOnceExecutor implements Executor {

    private final ExecutorService reporters = Executors.newVirtualThreadPerTaskExecutor();
    private volatile @Nullable ReportSink sink;

    @Override
    public void recover(ReportSink reports) {
        sink = reports;
    }

    /** Reports as a process does: that it runs, then that it has ended. */
    @Override
    public void start(StepSpec spec) {
        ReportSink reports = Objects.requireNonNull(sink, "recover comes first");
        reporters.execute(
                () -> {
                    Instant now = Instant.now();
                    reports.report(
                            new StepReport.Started(
                                    spec.stepId(), spec.nodeId(), spec.workflow(), now, "bench"));
                    reports.report(
                            new StepReport.Finished(
                                    spec.stepId(),
                                    spec.nodeId(),
                                    spec.workflow(),
                                    now,
                                    now,
                                    new StepOutcome(NodePhase.SUCCEEDED, null, 0, null, Map.of())));
                });
    }

    @Override
    public void stop(StepCommand.Stop stop) {
        throw new UnsupportedOperationException("no benchmark stops steps");
    }

    @Override
    public void releaseClaims(WorkflowRef workflow, List<String> claims) {}

    @Override
    public void forget(String stepId) {}

    @Override
    public StepReport.Discarded discard(StepCommand.DiscardArtifacts discard) {
        throw new UnsupportedOperationException("no benchmark stores artifacts");
    }

    @Override
    public String describe() {
        return "Steps end at once.";
    }

    @Override
    public void close(boolean keepSteps) {
        reporters.close();
    }
}
