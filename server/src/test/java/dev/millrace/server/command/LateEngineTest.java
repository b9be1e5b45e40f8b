package dev.millrace.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.log.plain.InfrastructureException;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.server.command.RefusedException.Code;
import dev.millrace.server.readmodel.WorkflowChanges;
import dev.millrace.triggers.action.DispatchOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A log or an engine that is late costs a trigger none of its attempts. */
class LateEngineTest {

    private static final WorkflowCommand SUSPEND = new WorkflowCommand.Suspend("id-1", "n", "w");

    @Test
    void anEngineThatDoesNotAnswerIsLate() {
        MockProducer<String, byte[]> producer = producer(true);
        RefusedException refused = refusalOf(producer);

        assertThat(refused.code()).isEqualTo(Code.DEADLINE_EXCEEDED);
        assertThat(refused.reason()).contains("id-1", "n/w", CommandIds.HEADER);
        assertThat(producer.history()).hasSize(1);
    }

    @Test
    void aLogThatDoesNotTakeTheCommandIsUnavailable() {
        MockProducer<String, byte[]> producer = producer(false);
        CompletableFuture<RefusedException> refused =
                CompletableFuture.supplyAsync(() -> refusalOf(producer));
        while (!producer.errorNext(new TimeoutException("no broker"))) {
            Thread.onSpinWait();
        }

        assertThat(refused.join().code()).isEqualTo(Code.UNAVAILABLE);
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void onlyLatenessIsTriedAgainWithoutCountingAsAnAttempt(Code code) {
        RefusedException refused = new RefusedException(code, "because");
        switch (code) {
            case DEADLINE_EXCEEDED, UNAVAILABLE ->
                    assertThatThrownBy(() -> ActivationSubmitter.outcome(refused))
                            .isInstanceOf(InfrastructureException.class)
                            .hasMessageContaining("because");
            case UNIMPLEMENTED ->
                    assertThat(ActivationSubmitter.outcome(refused))
                            .isEqualTo(new DispatchOutcome.Refused("because"));
            default ->
                    assertThat(ActivationSubmitter.outcome(refused))
                            .isEqualTo(new DispatchOutcome.Failed("because"));
        }
    }

    private static RefusedException refusalOf(MockProducer<String, byte[]> producer) {
        WorkflowCommands commands =
                new WorkflowCommands(producer, new WorkflowChanges(), Duration.ofMillis(1));
        return catchThrowableOfType(RefusedException.class, () -> commands.execute(SUSPEND));
    }

    private static MockProducer<String, byte[]> producer(boolean autoComplete) {
        return new MockProducer<>(
                autoComplete, null, new StringSerializer(), new ByteArraySerializer());
    }
}
