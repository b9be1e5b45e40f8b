package dev.millrace.triggers.dispatch;

import dev.millrace.log.DeadLetters;
import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Sending;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.GroupWorker;
import dev.millrace.log.plain.InfrastructureException;
import dev.millrace.log.plain.WorkerOptions;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.DeadLetter;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.record.TriggerRetry;
import dev.millrace.triggers.action.ActionRunner;
import dev.millrace.triggers.action.DispatchOutcome;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out activations: the first attempt at once, on a virtual thread, bounded for each
 * trigger. A record is done when its activation is done or when the log has what comes next: a
 * retry or a dead letter. {@link TriggerMachine} decides.
 */
public final class Dispatcher implements AutoCloseable {

    public static final String GROUP = "millrace-dispatcher";

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final JsonSerde<Activation> ACTIVATIONS = JsonSerde.of(Activation.class);
    private static final JsonSerde<TriggerRetry> RETRIES = JsonSerde.of(TriggerRetry.class);
    private static final JsonSerde<Decision> DECISIONS = JsonSerde.of(Decision.class);

    /**
     * Virtual threads are cheap, and those of a slow trigger wait for their turn: there must be
     * enough that the others find one.
     */
    private static final WorkerOptions OPTIONS =
            WorkerOptions.DEFAULT.withConcurrency(1_000).withMaxInFlight(2_000).withKeyOrder(false);

    private final ActionRunner runner;
    private final Producer<String, byte[]> producer;
    private final DeadLetters deadLetters;
    private final InstantSource clock;
    private final UnaryOperator<String> redact;
    private final ActivationWindow window;
    private final TriggerBounds bounds = new TriggerBounds();
    private final GroupWorker<Work> worker;

    /**
     * Starts the dispatcher, after it has read which activations came during the last day.
     *
     * @param producer one that never gives up; closed by the caller, after this
     * @param redact masks secrets in what decisions, retries and dead letters say
     * @throws org.apache.kafka.common.KafkaException if the log cannot be read
     */
    public static Dispatcher start(
            LogConnection log,
            ActionRunner runner,
            Producer<String, byte[]> producer,
            DeadLetters deadLetters,
            UnaryOperator<String> redact,
            InstantSource clock) {
        return new Dispatcher(log, runner, producer, deadLetters, redact, clock);
    }

    private Dispatcher(
            LogConnection log,
            ActionRunner runner,
            Producer<String, byte[]> producer,
            DeadLetters deadLetters,
            UnaryOperator<String> redact,
            InstantSource clock) {
        this.runner = runner;
        this.producer = producer;
        this.deadLetters = deadLetters;
        this.redact = redact;
        this.clock = clock;
        this.window = ActivationWindow.load(log, clock.instant());
        this.worker =
                GroupWorker.start(
                        log,
                        GROUP,
                        List.of(
                                Topics.ACTIVATIONS,
                                Topics.JOINED_ACTIVATIONS,
                                Topics.TRIGGER_RETRIES),
                        Work::decode,
                        this::handle,
                        deadLetters,
                        OPTIONS);
    }

    /** For {@code /readyz}. */
    public Health health() {
        return worker.health();
    }

    @Override
    public void close() {
        worker.close();
    }

    private void handle(LogRecord<Work> record) throws Exception {
        switch (record.requiredValue()) {
            case Work.New(Activation activation) -> begin(record, activation);
            case Work.Released(TriggerRetry retry) ->
                    proceed(
                            retry.activation(),
                            new TriggerMachine.Next.Try(retry.attempt(), retry.failures()));
            case Work.Held() -> {}
        }
    }

    private void begin(LogRecord<Work> record, Activation activation) throws Exception {
        ActivationWindow.First first = window.first(activation.id(), record);
        if (!first.is(record)) {
            if (!first.protects(record)) {
                first.done().get();
            }
            decide(activation, "duplicate", null);
            return;
        }
        try {
            proceed(activation, TriggerMachine.first(activation, clock.instant()));
        } catch (KafkaException | InfrastructureException e) {
            // Will be tried again: it is not done.
            throw e;
        } catch (RuntimeException e) {
            // Becomes a dead letter, so it is done.
            first.done().complete(null);
            throw e;
        }
        first.done().complete(null);
    }

    private void proceed(Activation activation, TriggerMachine.Next start) throws Exception {
        TriggerMachine.Next next = start;
        while (next instanceof TriggerMachine.Next.Try(int attempt, List<String> failures)) {
            DispatchOutcome outcome = attempt(activation, attempt);
            next =
                    TriggerMachine.after(
                            activation,
                            attempt,
                            failures,
                            outcome,
                            clock.instant(),
                            ThreadLocalRandom.current().nextDouble());
        }
        switch (next) {
            case TriggerMachine.Next.Try _ -> throw new IllegalStateException("cannot be");
            case TriggerMachine.Next.Done(String detail) ->
                    decide(activation, "dispatched", detail);
            case TriggerMachine.Next.Wait(TriggerRetry retry) -> {
                send(Topics.TRIGGER_RETRIES, TriggerKey.ofRetry(activation), RETRIES.encode(retry));
                if (!retry.failures().isEmpty()) {
                    decide(
                            activation,
                            "retried",
                            "attempt %d failed: %s"
                                    .formatted(retry.attempt() - 1, retry.failures().getLast()));
                }
            }
            case TriggerMachine.Next.GaveUp(DeadLetter letter, @Nullable Activation dlq) ->
                    giveUp(activation, letter, dlq);
        }
    }

    private DispatchOutcome attempt(Activation activation, int attempt)
            throws InterruptedException {
        return bounds.within(
                TriggerKey.of(activation),
                () ->
                        switch (runner.attempt(activation, attempt)) {
                            case DispatchOutcome.Succeeded done -> done;
                            // What a person reads later must hold no secret.
                            case DispatchOutcome.Failed(String message) ->
                                    new DispatchOutcome.Failed(redact.apply(message));
                            case DispatchOutcome.Refused(String message) ->
                                    new DispatchOutcome.Refused(redact.apply(message));
                        });
    }

    private void giveUp(Activation activation, DeadLetter letter, @Nullable Activation dlq)
            throws Exception {
        LOG.warn(
                "trigger {} gave up on activation {}: {}",
                TriggerKey.of(activation),
                activation.id(),
                letter.reason());
        if (dlq != null) {
            send(Topics.ACTIVATIONS, TriggerKey.of(dlq), ACTIVATIONS.encode(dlq));
        }
        await(deadLetters.send(letter));
        decide(activation, "failed", letter.reason());
    }

    private void decide(Activation activation, String outcome, @Nullable String reason)
            throws Exception {
        List<CompletableFuture<RecordMetadata>> sent = new ArrayList<>();
        for (var entry : activation.events().entrySet()) {
            EventRef event = entry.getValue();
            Decision decision =
                    new Decision(
                            event.id(),
                            activation.namespace(),
                            activation.sensor(),
                            entry.getKey(),
                            activation.trigger(),
                            outcome,
                            reason,
                            activation.id(),
                            activation.manifestVersion(),
                            clock.instant(),
                            activation.kind());
            sent.add(
                    Sending.send(
                            producer,
                            new ProducerRecord<>(
                                    Topics.DECISIONS, event.id(), DECISIONS.encode(decision))));
        }
        for (CompletableFuture<RecordMetadata> one : sent) {
            await(one);
        }
    }

    private void send(String topic, String key, byte[] value) throws Exception {
        await(Sending.send(producer, new ProducerRecord<>(topic, key, value)));
    }

    private static void await(CompletableFuture<RecordMetadata> sent)
            throws InterruptedException, ExecutionException {
        RecordMetadata unused = sent.get();
    }
}
