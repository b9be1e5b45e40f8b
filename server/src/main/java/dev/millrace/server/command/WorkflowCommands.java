package dev.millrace.server.command;

import dev.millrace.log.Sending;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.LargeSubmission;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.server.command.RefusedException.Code;
import dev.millrace.server.readmodel.WorkflowChanges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Sends commands to the engine and waits for what it says. */
public final class WorkflowCommands {

    private static final JsonSerde<WorkflowCommand> SERDE = JsonSerde.of(WorkflowCommand.class);

    private final Producer<String, byte[]> producer;
    private final WorkflowChanges changes;
    private final Duration patience;

    /**
     * @param producer plain, one that gives up in time for the caller's answer
     * @param patience how long an answer is waited for
     */
    public WorkflowCommands(
            Producer<String, byte[]> producer, WorkflowChanges changes, Duration patience) {
        this.producer = producer;
        this.changes = changes;
        this.patience = patience;
    }

    /**
     * Sends a command; returns when the read model holds what it did.
     *
     * @throws RefusedException with the engine's reason, or if it has not answered in time: the
     *     command is in the log then and will be done
     */
    public void execute(WorkflowCommand command) {
        CommandAnswer answer = await(command);
        if (!answer.accepted()) {
            throw new RefusedException(
                    Code.of(answer.code()),
                    answer.message() == null
                            ? "refused with code " + answer.code()
                            : answer.message());
        }
    }

    private CommandAnswer await(WorkflowCommand command) {
        String id = command.commandId();
        CompletableFuture<CommandAnswer> answer = changes.answer(id);
        try {
            List<CompletableFuture<?>> sent = new ArrayList<>();
            for (WorkflowCommand part : LargeSubmission.split(command)) {
                sent.add(
                        Sending.send(
                                producer,
                                new ProducerRecord<>(
                                        Topics.WORKFLOW_COMMANDS,
                                        WorkflowRef.key(command.namespace(), command.name()),
                                        SERDE.encode(part))));
            }
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).get();
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            changes.forget(id);
            throw new RefusedException(
                    Code.DEADLINE_EXCEEDED,
                    "the command %s for workflow %s/%s is in the log, but the engine has not answered within %d s. It will be done; look at the workflow, or send the same request again with the header %s: %s, which starts nothing twice"
                            .formatted(
                                    id,
                                    command.namespace(),
                                    command.name(),
                                    patience.toSeconds(),
                                    CommandIds.HEADER,
                                    id));
        } catch (ExecutionException e) {
            changes.forget(id);
            throw new RefusedException(
                    Code.UNAVAILABLE,
                    "the log did not take the command: %s. Send it again with the header %s: %s"
                            .formatted(e.getCause(), CommandIds.HEADER, id));
        } catch (InterruptedException e) {
            changes.forget(id);
            Thread.currentThread().interrupt();
            throw new RefusedException(Code.UNAVAILABLE, "the server is stopping; send it again");
        }
    }
}
