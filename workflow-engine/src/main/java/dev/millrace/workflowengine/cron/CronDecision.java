package dev.millrace.workflowengine.cron;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One decision in the making: the events so far, and the state with them applied. */
final class CronDecision {
    private final Instant now;
    private final List<CronEvent> events = new ArrayList<>();
    private CronState state;

    CronDecision(CronState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    Instant now() {
        return now;
    }

    CronState state() {
        return state;
    }

    List<CronEvent> events() {
        return events;
    }

    void add(CronEvent event) {
        events.add(event);
        state = CronEvolution.apply(state, event);
    }

    void due(Map<String, Instant> due) {
        add(new CronEvent.Due(due));
    }

    void condition(String type, String message) {
        if (!message.equals(state.conditions().get(type))) {
            add(new CronEvent.ConditionSet(type, message));
        }
    }

    void clear(String type) {
        if (state.conditions().containsKey(type)) {
            add(new CronEvent.ConditionCleared(type));
        }
    }
}
