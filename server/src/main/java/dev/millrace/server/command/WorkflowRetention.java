package dev.millrace.server.command;

import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.server.configuration.RetentionPolicy;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.WorkflowChanges;
import dev.millrace.server.readmodel.WorkflowRows;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the oldest ended workflows beyond those that are kept. It keeps nothing itself: what is
 * too much is read from the read model, so a restart goes on where it was, and a repeat finds
 * nothing to do.
 */
public final class WorkflowRetention implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkflowRetention.class);
    private static final int PORTION = 100;
    private static final int SECONDS_BETWEEN = 1;
    private static final int SECONDS_AFTER_FAILURE = 30;

    private final RetentionPolicy policy;
    private final ReadModel model;
    private final WorkflowCommands commands;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ScheduledExecutorService schedule =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("workflow-retention").factory());
    private final WorkflowChanges.Subscription subscription;

    private WorkflowRetention(
            RetentionPolicy policy,
            ReadModel model,
            WorkflowCommands commands,
            WorkflowChanges changes) {
        this.policy = policy;
        this.model = model;
        this.commands = commands;
        this.subscription = changes.subscribe(_ -> soon(SECONDS_BETWEEN));
    }

    /** Looks now and, at most once a second, after changes. */
    public static WorkflowRetention start(
            RetentionPolicy policy,
            ReadModel model,
            WorkflowCommands commands,
            WorkflowChanges changes) {
        WorkflowRetention retention = new WorkflowRetention(policy, model, commands, changes);
        retention.soon(0);
        return retention;
    }

    private void soon(int seconds) {
        if (scheduled.compareAndSet(false, true)) {
            schedule.schedule(() -> sweep(), seconds, TimeUnit.SECONDS);
        }
    }

    private void sweep() {
        scheduled.set(false);
        try {
            policy.most().forEach(this::sweep);
        } catch (RuntimeException e) {
            LOG.error(
                    "Ended workflows beyond the retentionPolicy were not all deleted; tried again in {} s",
                    SECONDS_AFTER_FAILURE,
                    e);
            soon(SECONDS_AFTER_FAILURE);
        }
    }

    private void sweep(WorkflowPhase phase, int keep) {
        List<WorkflowRows.Row> beyond =
                model.read(handle -> WorkflowRows.in(handle).beyond(phase, keep, PORTION));
        for (WorkflowRows.Row row : beyond) {
            try {
                // The version: what was refused since somebody took the workflow up is asked anew
                // when it has ended again.
                commands.execute(
                        new WorkflowCommand.Delete(
                                "retention/" + row.uid() + "/" + row.version(),
                                row.namespace(),
                                row.name(),
                                row.uid()));
            } catch (RefusedException e) {
                if (e.isLate()) {
                    throw e;
                }
                LOG.info("{}/{} is kept: {}", row.namespace(), row.name(), e.reason());
            }
        }
        if (beyond.size() == PORTION) {
            soon(0);
        }
    }

    @Override
    public void close() {
        subscription.close();
        schedule.shutdownNow();
    }
}
