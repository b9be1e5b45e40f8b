package dev.millrace.triggers.dispatch;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.record.SensorMatch;
import dev.millrace.schemas.record.TriggerRetry;
import dev.millrace.schemas.sensor.RateLimit;
import dev.millrace.sensors.definition.SensorDefinition;
import dev.millrace.sensors.joining.JoinEvent;
import dev.millrace.sensors.joining.JoinMachine;
import dev.millrace.sensors.joining.JoinState;
import dev.millrace.sensors.matching.MatchIndex;
import dev.millrace.sensors.matching.Matcher;
import dev.millrace.sensors.matching.Matching;
import dev.millrace.triggers.action.ActionRunner;
import dev.millrace.triggers.testing.WebhookData;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Runs the posts of a recorded case through the cores, by a clock of its own. */
final class RecordedRun {

    private static final Instant START = Instant.parse("2026-01-05T10:00:20Z");

    private final RecordedCase recorded;
    private final Matcher matcher;
    private final ActionRunner runner;
    private final List<Instant> attempts = new ArrayList<>();
    private Instant now;
    private JoinState state = JoinState.NEW;
    private RateSlots slots = RateSlots.UNUSED;
    private int events = 0;

    RecordedRun(RecordedCase recorded, SensorDefinition sensor, ActionRunner runner) {
        this.recorded = recorded;
        this.matcher = new Matcher(new MatchIndex(List.of(sensor)));
        this.runner = runner;
        String posted = recorded.json().path("posted_at").asString("");
        this.now =
                posted.isEmpty()
                        ? START
                        : LocalTime.parse(posted)
                                .atDate(START.atOffset(ZoneOffset.UTC).toLocalDate())
                                .toInstant(ZoneOffset.UTC);
    }

    /** When the attempts were made. */
    List<Instant> attempts() {
        return attempts;
    }

    void run() throws InterruptedException {
        boolean atOnce = recorded.name().startsWith("rate-");
        Instant posted = now;
        for (JsonNode post : recorded.json().path("posts")) {
            if (post.has("wait")) {
                posted = posted.truncatedTo(ChronoUnit.MINUTES).plusSeconds(63);
                continue;
            }
            now = posted;
            if (post.path("status").asInt() == 200) {
                event(post);
            }
            posted = atOnce ? posted : posted.plusMillis(600);
        }
    }

    private void event(JsonNode post) throws InterruptedException {
        events++;
        EventRef event =
                new EventRef(
                        "$ID" + events,
                        "default",
                        "rec",
                        post.path("endpoint").asString().substring(1),
                        "webhook",
                        "1.0",
                        "application/json",
                        now,
                        WebhookData.of(post.path("headers"), body(post.path("body"))));
        Matching matching = matcher.match(event, null, now);
        for (Activation activation : matching.activations()) {
            if (activation.trigger().equals(recorded.trigger())) {
                carryOut(activation);
            }
        }
        for (SensorMatch match : matching.matches()) {
            if (match.trigger().equals(recorded.trigger())) {
                join(match);
            }
        }
    }

    private static String body(JsonNode body) {
        if (!body.isObject()) {
            return body.asString("");
        }
        int around = "{\"a\":\"\"}".length();
        return "{\"a\":\"" + "x".repeat(body.path("length").asInt() - around) + "\"}";
    }

    private void join(SensorMatch match) throws InterruptedException {
        for (JoinEvent event : JoinMachine.decide(state, match, false, now)) {
            state = JoinMachine.evolve(state, event);
            if (event instanceof JoinEvent.Fired(Activation activation)) {
                carryOut(activation);
            }
        }
    }

    private void carryOut(Activation activation) throws InterruptedException {
        Instant before = now;
        TriggerMachine.Next next = TriggerMachine.first(activation, now);
        while (true) {
            switch (next) {
                case TriggerMachine.Next.Try(int attempt, List<String> failures) -> {
                    attempts.add(now);
                    next =
                            TriggerMachine.after(
                                    activation,
                                    attempt,
                                    failures,
                                    runner.attempt(activation, attempt),
                                    now,
                                    0.5);
                }
                case TriggerMachine.Next.Wait(TriggerRetry retry) -> {
                    now = due(retry);
                    next = new TriggerMachine.Next.Try(retry.attempt(), retry.failures());
                }
                case TriggerMachine.Next.Done(_) -> {
                    now = before;
                    return;
                }
                case TriggerMachine.Next.GaveUp(_, Activation dlq) -> {
                    if (dlq != null) {
                        carryOut(dlq);
                    }
                    now = before;
                    return;
                }
            }
        }
    }

    private Instant due(TriggerRetry retry) {
        Instant due = retry.due().isAfter(now) ? retry.due() : now;
        if (!TriggerMachine.isLimited(retry.activation())) {
            return due;
        }
        RateLimit limit =
                Json.convert(
                        retry.activation().triggerManifest().path("rateLimit"), RateLimit.class);
        RateSlots.Taken taken = slots.take(limit, due);
        slots = taken.after();
        return taken.slot().isAfter(due) ? taken.slot() : due;
    }

    /** Seconds between the first attempt and each, as the recording counts. */
    List<Double> spacing() {
        return attempts.stream()
                .map(at -> Duration.between(attempts.getFirst(), at).toMillis() / 1000.0)
                .toList();
    }
}
