package dev.millrace.executors;

import dev.millrace.executors.serverside.ServerSideExecutor;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowRef;
import java.util.List;

/** Gives each step to who carries it out: the server itself, or an executor of programs. */
public final class RoutedExecutor implements Executor {

    private final Executor programs;
    private final ServerSideExecutor serverSide;

    /** Both are closed with this one. */
    public RoutedExecutor(Executor programs, ServerSideExecutor serverSide) {
        this.programs = programs;
        this.serverSide = serverSide;
    }

    /** Commands about a step have no template: it is with whom it was given to. */
    private Executor of(String stepId) {
        return serverSide.knows(stepId) ? serverSide : programs;
    }

    @Override
    public void recover(ReportSink sink) {
        programs.recover(sink);
        serverSide.recover(sink);
    }

    @Override
    public void start(StepSpec spec) {
        (serverSide.takes(spec.template()) ? serverSide : programs).start(spec);
    }

    @Override
    public void stop(StepCommand.Stop stop) {
        of(stop.stepId()).stop(stop);
    }

    @Override
    public void forget(String stepId) {
        of(stepId).forget(stepId);
    }

    /** Only programs mount something. */
    @Override
    public void releaseClaims(WorkflowRef workflow, List<String> claims) {
        programs.releaseClaims(workflow, claims);
    }

    /** Artifacts that a plugin reports lie in the same stores as those of programs. */
    @Override
    public StepReport.Discarded discard(StepCommand.DiscardArtifacts discard) {
        return programs.discard(discard);
    }

    @Override
    public String describe() {
        return programs.describe() + "\n" + serverSide.describe();
    }

    @Override
    public void close(boolean keepSteps) {
        try {
            serverSide.close(keepSteps);
        } finally {
            programs.close(keepSteps);
        }
    }
}
