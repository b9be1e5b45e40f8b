package dev.millrace.eventsources.calendar;

import static dev.millrace.eventsources.EntryStatus.State.ACTIVE;
import static dev.millrace.eventsources.EntryStatus.State.STANDBY;

import dev.millrace.eventsources.EntryConfigurationException;
import dev.millrace.eventsources.EntryKey;
import dev.millrace.eventsources.EventFilter;
import dev.millrace.eventsources.EventSourceEntry;
import dev.millrace.eventsources.EventSourceMetrics.EntryCounters;
import dev.millrace.eventsources.SourceEvent;
import dev.millrace.eventsources.state.OwnedPartition;
import dev.millrace.eventsources.state.SourceStateOwnership;
import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoTime;
import dev.millrace.schemas.eventsource.CalendarSource;
import dev.millrace.schemas.eventsource.EventSourceType;
import dev.millrace.schemas.record.SourceState;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An entry of type {@code calendar}: waits for ticks while this process owns its state. */
public final class CalendarEntry implements EventSourceEntry {

    private static final Logger LOG = LoggerFactory.getLogger(CalendarEntry.class);

    /** So often the wall clock is looked at, whatever the timers think: it may have been set. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final EntryKey key;
    private final CalendarSource config;
    private final EventFilter filter;
    private final SourceStateOwnership ownership;
    private final EntryCounters counters;
    private final InstantSource clock;

    public CalendarEntry(
            EntryKey key,
            CalendarSource config,
            SourceStateOwnership ownership,
            EntryCounters counters,
            InstantSource clock) {
        this.key = key;
        this.config = config;
        this.filter = EventFilter.of(config.filter());
        this.ownership = ownership;
        this.counters = counters;
        this.clock = clock;
    }

    /**
     * Looks at what is written.
     *
     * @param now from when on the schedule must have a time
     * @throws dev.millrace.eventsources.EntryConfigurationException if an entry could not start
     *     with it
     */
    public static void check(CalendarSource config, Instant now) {
        var _ = CalendarPlan.of(config, now);
    }

    @Override
    public void run(StatusSink status) throws Exception {
        CalendarPlan plan = CalendarPlan.of(config, clock.instant());
        CalendarMachine machine = new CalendarMachine(plan);
        String warning = filter.warning() == null ? plan.warning() : filter.warning();
        while (true) {
            if (!ownership.owns(key)) {
                status.report(
                        STANDBY, "another process runs it, or it is not settled yet who does");
            }
            OwnedPartition owned = ownership.await(key);
            Instant position = begin(plan, machine, owned);
            status.report(ACTIVE, warning);
            follow(plan, machine, owned, position);
        }
    }

    /** The first position is kept too: what is missed before the first tick can be made up for. */
    private Instant begin(CalendarPlan plan, CalendarMachine machine, OwnedPartition owned)
            throws InterruptedException {
        Instant now = clock.instant();
        String text = owned.position(key).orElse(null);
        CalendarPosition stored = text == null ? null : CalendarPosition.parse(text).orElse(null);
        if (text != null && stored == null) {
            LOG.error("{}: the stored position '{}' is no time; it begins now", key, text);
        }
        if (stored != null && stored.rule().equals(plan.rule())) {
            return machine.begin(stored.tick(), now);
        }
        // Under a new rule nothing was missed: its past ticks never were to be.
        Instant position = stored != null && stored.tick().isAfter(now) ? stored.tick() : now;
        owned.commit(Optional.empty(), state(plan, position));
        return position;
    }

    private void follow(
            CalendarPlan plan, CalendarMachine machine, OwnedPartition owned, Instant begin)
            throws InterruptedException {
        Instant position = begin;
        while (!owned.isLost()) {
            Instant now = clock.instant();
            switch (machine.decide(position, now)) {
                case CalendarMachine.Wait(Instant until, Instant from) -> {
                    position = from;
                    Duration left = Duration.between(now, until);
                    owned.awaitLost(left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT);
                }
                case CalendarMachine.Fire fire -> {
                    fire(plan, fire, now, owned);
                    position = fire.position();
                }
                case CalendarMachine.Never _ ->
                        throw new EntryConfigurationException(
                                "the schedule has no further time; correct schedule or exclusionDates");
            }
        }
    }

    private void fire(
            CalendarPlan plan, CalendarMachine.Fire fire, Instant now, OwnedPartition owned)
            throws InterruptedException {
        counters.received().increment();
        String data = data(fire, plan.zone(), now);
        switch (filter.judge(data)) {
            case EventFilter.Dropped dropped -> {
                LOG.info("{}: a tick is dropped: {}", key, dropped.reason());
                owned.commit(Optional.empty(), state(plan, fire.position()));
                counters.filtered().increment();
            }
            case EventFilter.Passed _ -> {
                try {
                    owned.commit(
                            Optional.of(event(fire, now, data).toRecord()),
                            state(plan, fire.position()));
                } catch (RuntimeException e) {
                    counters.failed().increment();
                    throw e;
                }
                counters.published().increment();
            }
        }
    }

    /**
     * The time in the text form that Argo Events uses; a late tick shows when it should have been.
     */
    private String data(CalendarMachine.Fire fire, ZoneId zone, Instant now) {
        String eventTime =
                GoTime.text(
                        fire.isLate() ? fire.scheduled().atZone(zone) : now.atZone(ZoneOffset.UTC));
        String data = "{\"eventTime\":" + GoJson.quote(eventTime);
        if (!config.metadata().isEmpty()) {
            data += ",\"metadata\":" + GoJson.encode(config.metadata());
        }
        return data + "}";
    }

    private SourceEvent event(CalendarMachine.Fire fire, Instant now, String data) {
        String scheduled = fire.scheduled().toString();
        return new SourceEvent(
                key,
                EventSourceType.CALENDAR,
                id(key, scheduled),
                now,
                data,
                Map.of("scheduledtime", scheduled));
    }

    /** The same for the same tick, so that a repeat is recognised downstream. */
    static String id(EntryKey key, String scheduled) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest((key + "@" + scheduled).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private SourceState state(CalendarPlan plan, Instant position) {
        return new SourceState(
                key.namespace(),
                key.eventSource(),
                key.event(),
                new CalendarPosition(position, plan.rule()).toString(),
                clock.instant());
    }
}
