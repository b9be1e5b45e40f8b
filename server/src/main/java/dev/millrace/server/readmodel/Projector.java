package dev.millrace.server.readmodel;

import dev.millrace.log.ClosingGroup;
import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.Positions;
import dev.millrace.log.plain.TailReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps the read model up with the log: one reader a topic, whose batches become rows and positions
 * in one SQL transaction. After a kill it goes on where the rows say.
 */
public final class Projector implements AutoCloseable {

    private final Map<String, TailReader<?>> readers = new LinkedHashMap<>();
    private final ClosingGroup closing = new ClosingGroup();

    private Projector() {}

    /** Starts to follow the log. */
    public static Projector start(
            LogConnection log, ReadModel model, WorkflowChanges changes, EventAnswers answers) {
        Projector projector = new Projector();
        List<TopicProjection<?>> projections =
                List.of(
                        new WorkflowProjection(changes),
                        new ManifestProjection(),
                        new StatusProjection(),
                        new EventProjection(),
                        new DecisionProjection(answers),
                        new ActivationProjection(Topics.ACTIVATIONS),
                        new ActivationProjection(Topics.JOINED_ACTIVATIONS),
                        new DeadLetterProjection(),
                        new MetricProjection());
        projections.forEach(projection -> projector.follow(log, model, projection));
        return projector;
    }

    /** Completes once the read model holds all that was in the log at the start. */
    public CompletableFuture<?> caughtUp() {
        return CompletableFuture.allOf(
                readers.values().stream()
                        .map(TailReader::caughtUp)
                        .toArray(CompletableFuture[]::new));
    }

    /** How its readers are doing: ready, or the first that is not. */
    public Health health() {
        List<Health> unwell = new ArrayList<>();
        readers.values().stream()
                .map(TailReader::health)
                .filter(h -> !h.isReady())
                .forEach(unwell::add);
        return unwell.isEmpty() ? new Health.Ready() : unwell.getFirst();
    }

    @Override
    public void close() {
        closing.close();
    }

    private <V> void follow(LogConnection log, ReadModel model, TopicProjection<V> projection) {
        String topic = projection.topic();
        String name = "projector-" + topic.substring(Topics.PREFIX.length());
        readers.put(
                topic,
                closing.add(
                        name,
                        TailReader.start(
                                log,
                                name,
                                topic,
                                model.positions(topic),
                                projection.decoder(),
                                (records, after) -> project(model, projection, records, after))));
    }

    private static <V> void project(
            ReadModel model,
            TopicProjection<V> projection,
            List<LogRecord<V>> records,
            Positions after) {
        try {
            model.write(
                    handle -> {
                        projection.apply(handle, records);
                        ReadModel.savePositions(handle, projection.topic(), after);
                    });
        } catch (RuntimeException e) {
            projection.rolledBack();
            throw e;
        }
        projection.committed();
    }
}
