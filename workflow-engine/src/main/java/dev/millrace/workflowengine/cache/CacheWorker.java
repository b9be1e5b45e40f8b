package dev.millrace.workflowengine.cache;

import dev.millrace.log.DeadLetters;
import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.Sending;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.GroupWorker;
import dev.millrace.log.plain.InfrastructureException;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.log.plain.WorkerOptions;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.schemas.record.CacheRequest;
import dev.millrace.schemas.record.WorkflowCommand;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Answers workflows that ask a cache, and keeps what they give, one request of a cache after the
 * other. It may do a request twice, after a crash: the engine takes the first answer of a node, and
 * an entry that is there already stays.
 */
public final class CacheWorker implements AutoCloseable {
    private static final String GROUP = "millrace.caches";
    private static final long PATIENCE_SECONDS = 30;

    private final JsonSerde<WorkflowCommand> commands = JsonSerde.of(WorkflowCommand.class);
    private final ManifestLog manifests;
    private final Producer<String, byte[]> producer;
    private final GroupWorker<CacheRequest> worker;

    private CacheWorker(LogConnection log, ManifestLog manifests, DeadLetters deadLetters) {
        this.manifests = manifests;
        // Late is fine: the node waits for its answer as long as it takes.
        this.producer = Producers.plain(log, "cache-answers", Producers.Patience.NEVER_GIVES_UP);
        this.worker =
                GroupWorker.start(
                        log,
                        GROUP,
                        List.of(Topics.CACHE_REQUESTS),
                        JsonSerde.of(CacheRequest.class),
                        this::handle,
                        deadLetters,
                        // What was saved is there for who asks later; both have the cache as key.
                        WorkerOptions.DEFAULT.withKeyOrder(true));
    }

    /**
     * Begins to read.
     *
     * @param manifests where the ConfigMaps are; not closed by this
     */
    public static CacheWorker start(
            LogConnection log, ManifestLog manifests, DeadLetters deadLetters) {
        return new CacheWorker(log, manifests, deadLetters);
    }

    private void handle(LogRecord<CacheRequest> record) {
        await(manifests.caughtUp(), "reading the ConfigMaps");
        switch (record.requiredValue()) {
            case CacheRequest.Load load -> answer(load);
            case CacheRequest.Save save -> save(save);
        }
    }

    private @Nullable JsonNode configMap(CacheRequest request) {
        return manifests.find(key(request)).map(ManifestLog.Stored::manifest).orElse(null);
    }

    private static ManifestKey key(CacheRequest request) {
        return new ManifestKey(
                CacheConfigMap.KIND, request.workflow().namespace(), request.cacheName());
    }

    private void answer(CacheRequest.Load load) {
        CacheConfigMap.Entry entry = null;
        String error = null;
        try {
            entry = CacheConfigMap.entry(configMap(load), load.cacheKey());
        } catch (CacheConfigMap.UnusableException e) {
            error = e.getMessage();
        }
        WorkflowCommand answer =
                new WorkflowCommand.AnswerCache(
                        "cache/" + load.workflow().uid() + "/" + load.nodeId() + "/" + load.run(),
                        load.workflow().namespace(),
                        load.workflow().name(),
                        load.workflow().uid(),
                        load.nodeId(),
                        load.run(),
                        entry == null ? null : entry.createdAt(),
                        entry == null ? null : entry.outputs(),
                        error);
        await(
                Sending.send(
                        producer,
                        new ProducerRecord<>(
                                Topics.WORKFLOW_COMMANDS,
                                load.workflow().key(),
                                commands.encode(answer))),
                "answering node " + load.nodeId());
    }

    private void save(CacheRequest.Save save) {
        JsonNode known = configMap(save);
        JsonNode changed = CacheConfigMap.with(known, save);
        if (changed != known) {
            long version = await(manifests.put(key(save), changed), "writing " + save.cacheName());
            await(manifests.seen(version), "reading back " + save.cacheName());
        }
    }

    private static <T extends @Nullable Object> T await(Future<T> future, String what) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new InfrastructureException("the log did not answer when " + what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InfrastructureException("interrupted when " + what, e);
        }
    }

    /** How it is doing, now. */
    public Health health() {
        return worker.health();
    }

    /** Ends what it does, and reads no more. */
    @Override
    public void close() {
        worker.close();
        producer.close();
    }
}
