package dev.millrace.server.command;

import dev.millrace.log.plain.InfrastructureException;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.CronOrder;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.server.command.RefusedException.Code;
import dev.millrace.workflowengine.cron.topology.CronActions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Orders of CronWorkflows, as commands to the engine that waits for what it says. */
public final class CronSubmitter implements CronActions {

    private static final Logger LOG = LoggerFactory.getLogger(CronSubmitter.class);

    private final WorkflowSubmission submission;
    private final WorkflowCommands commands;

    public CronSubmitter(WorkflowSubmission submission, WorkflowCommands commands) {
        this.submission = submission;
        this.commands = commands;
    }

    @Override
    public Outcome submit(CronOrder.Submit order) {
        ObjectNode tree = Json.convert(order.workflow(), ObjectNode.class);
        try {
            commands.execute(submission.command(tree, order.commandId(), null));
            return new Outcome.Started();
        } catch (RefusedException e) {
            if (e.code() == Code.ALREADY_EXISTS) {
                return new Outcome.Exists();
            }
            if (e.isLate()) {
                throw new InfrastructureException(e.reason(), e);
            }
            return new Outcome.Refused(e.reason());
        }
    }

    @Override
    public void terminate(CronOrder.Terminate order) {
        act(
                new WorkflowCommand.Shutdown(
                        order.commandId(),
                        order.namespace(),
                        order.workflow(),
                        ShutdownStrategy.TERMINATE,
                        null,
                        null));
    }

    @Override
    public void delete(CronOrder.Delete order) {
        act(new WorkflowCommand.Delete(order.commandId(), order.namespace(), order.workflow()));
    }

    private void act(WorkflowCommand command) {
        try {
            commands.execute(command);
        } catch (RefusedException e) {
            if (e.isLate()) {
                throw new InfrastructureException(e.reason(), e);
            }
            // It ended, or somebody deleted it, in between.
            LOG.info(
                    "{} of {}/{}: {}",
                    command.getClass().getSimpleName(),
                    command.namespace(),
                    command.name(),
                    e.reason());
        }
    }
}
