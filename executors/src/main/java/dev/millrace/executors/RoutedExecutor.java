package dev.millrace.executors;

import dev.millrace.executors.http.HttpStepExecutor;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.schemas.workflow.Template;
import java.util.List;

/** Gives each step to the executor of its kind. */
public final class RoutedExecutor implements Executor {

    private enum Kind {
        /** A program that runs somewhere. */
        PROGRAM,
        /** A call that the server makes itself. */
        HTTP;

        static Kind of(Template template) {
            return template.http() == null ? PROGRAM : HTTP;
        }
    }

    private final Executor programs;
    private final HttpStepExecutor http;

    /** Both are closed with this one. */
    public RoutedExecutor(Executor programs, HttpStepExecutor http) {
        this.programs = programs;
        this.http = http;
    }

    private Executor of(Kind kind) {
        return switch (kind) {
            case PROGRAM -> programs;
            case HTTP -> http;
        };
    }

    /** Commands about a step have no template: it is with whom it was given to. */
    private Executor of(String stepId) {
        return of(http.knows(stepId) ? Kind.HTTP : Kind.PROGRAM);
    }

    @Override
    public void recover(ReportSink sink) {
        programs.recover(sink);
        http.recover(sink);
    }

    @Override
    public void start(StepSpec spec) {
        of(Kind.of(spec.template())).start(spec);
    }

    @Override
    public void stop(StepCommand.Stop stop) {
        of(stop.stepId()).stop(stop);
    }

    @Override
    public void forget(String stepId) {
        of(stepId).forget(stepId);
    }

    /** Calls mount nothing. */
    @Override
    public void releaseClaims(WorkflowRef workflow, List<String> claims) {
        programs.releaseClaims(workflow, claims);
    }

    @Override
    public StepReport.Discarded discard(StepCommand.DiscardArtifacts discard) {
        return of(discard.stepId()).discard(discard);
    }

    @Override
    public String describe() {
        return programs.describe() + "\n" + http.describe();
    }

    @Override
    public void close(boolean keepSteps) {
        try {
            http.close(keepSteps);
        } finally {
            programs.close(keepSteps);
        }
    }
}
