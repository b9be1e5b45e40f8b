package dev.millrace.log.stream;

import dev.millrace.log.DeadLetters;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.StreamsSettings;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.DeadLetter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Runs a core on Kafka Streams: one turn per input or due timer, state and output written together.
 * What the core throws ends one entity, never the partition; what Kafka throws stops the task,
 * which is tried again.
 */
public final class CoreProcessor<I> implements Processor<String, I, String, Object> {

    private static final Logger LOG = LoggerFactory.getLogger(CoreProcessor.class);
    private static final EntryType<Long> NOW = EntryType.of("~now", Long.class);
    private static final int PORTION = 100;
    private static final Duration FIRST_LOOK = Duration.ofMillis(1);

    /** Ids are forgotten in bunches, not each at its own instant. */
    private static final long FORGET_EVERY_MILLIS = 60_000;

    private record Output(String sink, String key, byte @Nullable [] value) {}

    private record Running(
            ProcessorContext<String, Object> context,
            EntityStore store,
            TimerQueue timers,
            DedupeWindow seen,
            Pace pace,
            boolean asksForCommits) {}

    private final EntityCore<I> core;
    private final CoreOptions options;
    private @Nullable Running running;
    private @Nullable Cancellable alarm;
    private long alarmMillis = Long.MAX_VALUE;
    private @Nullable Cancellable commit;

    public CoreProcessor(EntityCore<I> core, CoreOptions options) {
        this.core = core;
        this.options = options;
    }

    @Override
    public void init(ProcessorContext<String, Object> context) {
        EntityStore store =
                new EntityStore(context.getStateStore(options.store()), options.decodedEntries());
        running =
                new Running(
                        context,
                        store,
                        new TimerQueue(store),
                        new DedupeWindow(store, options.dedupeWindow()),
                        Pace.of(context.appConfigs()),
                        StreamsSettings.commitsWhenAsked(context.appConfigs()));
        arm(running, FIRST_LOOK);
    }

    @Override
    public void process(Record<String, I> record) {
        Running r = running();
        if (record.key() == null || record.value() == null) {
            LOG.warn("A record without key or value is no input: {}", record);
            return;
        }
        Input<I> input = input(r, record);
        Instant at = Instant.ofEpochMilli(record.timestamp());
        turn(
                input.entity(),
                at,
                turn -> core.onInput(input, turn),
                () -> letter(input.origin(), input.entity(), Json.tree(input.value())));
        arm(r, FIRST_LOOK);
        r.pace().processed();
        commitInTime(r);
    }

    /**
     * Asks for a commit at once, or sets an alarm for it where Streams' own interval is longer: it
     * knows but one, and how long to gather depends on how much there is to do.
     */
    private void commitInTime(Running r) {
        long now = r.context().currentSystemTimeMs();
        long at = r.pace().commitAt(now);
        if (at <= now) {
            commit(r, now);
        } else if (r.asksForCommits() && commit == null) {
            commit =
                    r.context()
                            .schedule(
                                    Duration.ofMillis(at - now),
                                    PunctuationType.WALL_CLOCK_TIME,
                                    _ -> commitUnlessDone(r, now));
        }
    }

    private void commitUnlessDone(Running r, long doneMillis) {
        cancelCommit();
        if (r.pace().isUncommitted(doneMillis)) {
            commit(r, r.context().currentSystemTimeMs());
        }
    }

    private void commit(Running r, long now) {
        cancelCommit();
        r.pace().committed(now);
        r.context().commit();
    }

    private void cancelCommit() {
        if (commit != null) {
            commit.cancel();
            commit = null;
        }
    }

    /**
     * Sets the alarm for what is due next. A punctuation makes Streams commit whether it did
     * something or not, and under exactly-once a commit is a transaction: at a fixed rate of some
     * ten a second an idle server would be busy with them.
     *
     * @param pause time until then at least
     */
    private void arm(Running r, Duration pause) {
        long seen = r.seen().earliestMillis();
        long next =
                Math.min(
                        r.timers().earliestMillis(),
                        seen == Long.MAX_VALUE || seen == 0 ? seen : seen + FORGET_EVERY_MILLIS);
        if (next >= alarmMillis) {
            return;
        }
        disarm();
        long now = r.context().currentSystemTimeMs();
        alarmMillis = Math.max(next, now + pause.toMillis());
        long millis = Math.max(1, alarmMillis - now);
        r.pace().wakeIn(this, millis);
        alarm =
                r.context()
                        .schedule(
                                Duration.ofMillis(millis),
                                PunctuationType.WALL_CLOCK_TIME,
                                this::ring);
    }

    private void disarm() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
            running().pace().letSleep(this);
        }
        alarmMillis = Long.MAX_VALUE;
    }

    @Override
    public void close() {
        if (running != null) {
            running.pace().letSleep(this);
        }
    }

    private void ring(long wallClockMillis) {
        disarm();
        running().pace().worked();
        fireTimers(wallClockMillis);
        commitInTime(running());
        // What the budget left waits, so that inputs have their share of the time.
        arm(running(), options.timersEvery().minus(options.timerBudget()));
    }

    private void fireTimers(long wallClockMillis) {
        Running r = running();
        Instant now = Instant.ofEpochMilli(wallClockMillis);
        long end = System.nanoTime() + options.timerBudget().toNanos();
        List<Timer> due;
        do {
            due = r.timers().due(now, PORTION);
            for (Timer timer : due) {
                fire(r, timer, now);
                if (System.nanoTime() - end >= 0) {
                    return;
                }
            }
        } while (!due.isEmpty());
        r.seen().expire(now, PORTION);
    }

    private void fire(Running r, Timer timer, Instant now) {
        if (!r.timers().due(timer.entity(), timer.id()).equals(Optional.of(timer.due()))) {
            // A timer of the same portion cancelled or moved it.
            return;
        }
        turn(
                timer.entity(),
                now,
                turn -> {
                    turn.timers().cancel(timer.entity(), timer.id());
                    core.onTimer(timer, turn);
                },
                () -> {
                    r.timers().cancel(timer.entity(), timer.id());
                    return letter(
                            "timer/" + timer.entity() + "/" + timer.id(),
                            timer.entity(),
                            Json.tree(timer));
                });
    }

    private void turn(
            String entity, Instant at, Consumer<Turn> work, Supplier<DeadLetter> unworkable) {
        OneTurn turn = new OneTurn(running(), entity, at);
        RuntimeException failure = attempt(turn, work);
        if (failure == null) {
            turn.end();
            return;
        }
        OneTurn after = new OneTurn(running(), entity, at);
        DeadLetter letter = because(unworkable.get(), failure, after.now());
        LOG.error("{} of {} failed and goes to the dead letters", letter.origin(), entity, failure);
        after.emit(options.deadLetterSink(), letter.origin(), DeadLetters.encode(letter));
        after.end();
        OneTurn last = new OneTurn(running(), entity, at);
        RuntimeException again =
                attempt(last, t -> core.onFailure(entity, letter.origin(), failure, t));
        if (again == null) {
            last.end();
        } else {
            // Nothing more can be done for this entity; its partition goes on.
            LOG.error("{} could not be ended after its failure", entity, again);
        }
    }

    /** Null, or what the core threw; then nothing of the turn is left. */
    private static @Nullable RuntimeException attempt(OneTurn turn, Consumer<Turn> work) {
        try {
            work.accept(turn);
            return null;
        } catch (StackOverflowError e) {
            turn.discard();
            // A document that is nested too deeply; the stack is whole again here.
            return new IllegalStateException("the input is nested too deeply", e);
        } catch (RuntimeException e) {
            turn.discard();
            if (e instanceof KafkaException
                    && !(e instanceof org.apache.kafka.common.errors.SerializationException)) {
                throw e;
            }
            return e;
        }
    }

    private static DeadLetter letter(String origin, String entity, JsonNode value) {
        return new DeadLetter(origin, origin, entity, "", value, List.of(), Instant.EPOCH);
    }

    private static DeadLetter because(DeadLetter letter, RuntimeException cause, Instant at) {
        return new DeadLetter(
                letter.id(),
                letter.origin(),
                letter.key(),
                cause.toString(),
                letter.value(),
                letter.history(),
                at);
    }

    private Input<I> input(Running r, Record<String, I> record) {
        return r.context()
                .recordMetadata()
                .map(
                        m ->
                                new Input<>(
                                        record.key(),
                                        record.value(),
                                        m.topic(),
                                        m.partition(),
                                        m.offset(),
                                        record.headers()))
                .orElseGet(
                        () ->
                                new Input<>(
                                        record.key(),
                                        record.value(),
                                        "topology",
                                        -1,
                                        -1,
                                        record.headers()));
    }

    private Running running() {
        if (running == null) {
            throw new IllegalStateException("the processor is not initialised");
        }
        return running;
    }

    private static final class OneTurn implements Turn {

        private final Running running;
        private final String entity;
        private final Instant now;
        private final List<Output> outputs = new ArrayList<>();
        private boolean forgotten;

        OneTurn(Running running, String entity, Instant at) {
            this.running = running;
            this.entity = entity;
            // Clocks of brokers and of this process differ, and may be set back.
            long last = running.store().get(entity, NOW, "").orElse(0L);
            this.now = Instant.ofEpochMilli(Math.max(at.toEpochMilli(), last));
        }

        @Override
        public Instant now() {
            return now;
        }

        @Override
        public EntityStore store() {
            return running.store();
        }

        @Override
        public TimerQueue timers() {
            return running.timers();
        }

        @Override
        public DedupeWindow seen() {
            return running.seen();
        }

        @Override
        public <T> void emit(String sink, String key, JsonSerde<T> serde, T value) {
            emit(sink, key, serde.encode(value));
        }

        @Override
        public void emit(String sink, String key, byte @Nullable [] value) {
            if (value != null && value.length > Topics.LARGEST_VALUE) {
                throw new IllegalArgumentException(
                        "an output to %s has %d bytes; at most %d are possible"
                                .formatted(sink, value.length, Topics.LARGEST_VALUE));
            }
            outputs.add(new Output(sink, key, value));
        }

        @Override
        public void forget() {
            forgotten = true;
        }

        void discard() {
            running.store().discard();
            outputs.clear();
        }

        void end() {
            if (forgotten) {
                running.store().delete(entity, NOW, "");
            } else {
                running.store().put(entity, NOW, "", now.toEpochMilli());
            }
            running.store().flush();
            for (Output output : outputs) {
                forward(output);
            }
        }

        @SuppressWarnings("NullAway") // a null value is a tombstone, which Kafka leaves unannotated
        private void forward(Output output) {
            running.context()
                    .forward(
                            new Record<>(
                                    output.key(),
                                    output.value(),
                                    now.toEpochMilli(),
                                    new RecordHeaders()),
                            output.sink());
        }
    }
}
