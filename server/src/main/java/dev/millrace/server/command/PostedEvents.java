package dev.millrace.server.command;

import dev.millrace.eventsources.EventPublisher;
import dev.millrace.log.Sending;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.CloudEventRecords;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.PostedEvent;
import dev.millrace.server.command.RefusedException.Code;
import dev.millrace.server.readmodel.EventAnswers;
import dev.millrace.server.readmodel.EventRows;
import dev.millrace.server.readmodel.ReadModel;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;

/** Puts events for WorkflowEventBindings into the log and waits for what became of them. */
public final class PostedEvents {

    private final Producer<String, byte[]> producer;
    private final EventAnswers answers;
    private final ReadModel model;
    private final Duration patience;
    private final InstantSource clock;

    /**
     * @param producer plain, one that gives up in time for the caller's answer
     * @param patience how long the bindings are waited for
     */
    public PostedEvents(
            Producer<String, byte[]> producer,
            EventAnswers answers,
            ReadModel model,
            Duration patience,
            InstantSource clock) {
        this.producer = producer;
        this.answers = answers;
        this.model = model;
        this.patience = patience;
        this.clock = clock;
    }

    /**
     * As {@link #publish} for an event that may be a repeat: one that has had its answer gets the
     * same again.
     */
    public void repeat(
            String id,
            String namespace,
            String discriminator,
            Map<String, List<String>> metadata,
            String payload) {
        List<Decision> past =
                model.read(
                        handle ->
                                EventRows.in(handle).decisions(id).stream()
                                        .map(tree -> Json.convert(tree, Decision.class))
                                        .toList());
        Optional<Map<String, String>> answer = EventAnswers.in(past);
        if (answer.isPresent()) {
            tell(id, answer.get());
        } else {
            publish(id, namespace, discriminator, metadata, payload);
        }
    }

    /**
     * Publishes an event; returns when the log has it and all bindings are done with it, or, if
     * they are late, when patience is at its end: they do it then in any case.
     *
     * @param id a new one
     * @param metadata headers, as expressions see them
     * @param payload JSON text
     * @throws RefusedException if the log has not taken it, or a binding failed; the others did
     *     what they had to do
     */
    public void publish(
            String id,
            String namespace,
            String discriminator,
            Map<String, List<String>> metadata,
            String payload) {
        String data = data(discriminator, metadata, payload);
        if (EventPublisher.carriedBytes(data) > EventPublisher.MAX_DATA_BYTES) {
            throw new RefusedException(
                    Code.RESOURCE_EXHAUSTED,
                    "the event has %d bytes, and the log takes %d; send a reference to the data instead"
                            .formatted(
                                    EventPublisher.carriedBytes(data),
                                    EventPublisher.MAX_DATA_BYTES));
        }
        CompletableFuture<Map<String, String>> answer = answers.of(id);
        try {
            Sending.send(
                            producer,
                            CloudEventRecords.toRecord(
                                    Topics.EVENTS,
                                    namespace + "/" + PostedEvent.SOURCE + "/" + discriminator,
                                    CloudEventBuilder.v1()
                                            .withId(id)
                                            .withSource(URI.create(PostedEvent.SOURCE))
                                            .withSubject(discriminator)
                                            .withType(PostedEvent.TYPE)
                                            .withTime(clock.instant().atOffset(ZoneOffset.UTC))
                                            .withDataContentType("application/json")
                                            .withData(data.getBytes(StandardCharsets.UTF_8))
                                            .build()))
                    .get();
            tell(id, answer.get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            // The log has it, so it will be done.
            answers.forget(id);
        } catch (ExecutionException e) {
            answers.forget(id);
            throw new RefusedException(
                    Code.UNAVAILABLE,
                    "the log did not take the event: %s. Send it again with the header %s: %s"
                            .formatted(e.getCause(), CommandIds.HEADER, id));
        } catch (InterruptedException e) {
            answers.forget(id);
            Thread.currentThread().interrupt();
            throw new RefusedException(Code.UNAVAILABLE, "the server is stopping; send it again");
        }
    }

    private static void tell(String id, Map<String, String> failures) {
        if (!failures.isEmpty()) {
            throw new RefusedException(
                    Code.INTERNAL,
                    new TreeMap<>(failures)
                            .entrySet().stream()
                                    .map(e -> e.getKey() + ": " + e.getValue())
                                    .collect(
                                            Collectors.joining(
                                                    "; WorkflowEventBinding ",
                                                    "failed to dispatch event %s (the log has it, and bindings that are not named here did their part): WorkflowEventBinding "
                                                            .formatted(id),
                                                    "")));
        }
    }

    /** The payload stays as it came: number text, order and duplicate members survive. */
    private static String data(
            String discriminator, Map<String, List<String>> metadata, String payload) {
        return "{\"discriminator\":%s,\"metadata\":%s,\"payload\":%s}"
                .formatted(
                        Json.mapper().writeValueAsString(discriminator),
                        Json.mapper().writeValueAsString(metadata),
                        payload);
    }
}
