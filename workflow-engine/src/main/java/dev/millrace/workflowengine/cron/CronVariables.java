package dev.millrace.workflowengine.cron;

import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.tag.Lookup;
import dev.millrace.expressions.tag.Scope;
import dev.millrace.schemas.Json;
import dev.millrace.workflowengine.core.SeededRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The variables {@code cronworkflow.*} at a point in time. */
final class CronVariables implements Scope {
    private static final String ROOT = "cronworkflow";

    private final Map<String, @Nullable Object> members;
    private final Map<String, String> flat = new LinkedHashMap<>();
    private final ExprOptions options;

    CronVariables(CronDefinition definition, CronState state, Instant now) {
        Map<String, String> labels = definition.metadata().labels();
        Map<String, String> annotations = definition.metadata().annotations();
        Instant last = state.lastScheduledTime();
        members = new LinkedHashMap<>();
        members.put("name", definition.name());
        members.put("namespace", definition.namespace());
        members.put("labels", labels);
        members.put("annotations", annotations);
        members.put("lastScheduledTime", last == null ? null : last.atZone(ZoneOffset.UTC));
        members.put("failed", state.failed());
        members.put("succeeded", state.succeeded());
        put("name", definition.name());
        put("namespace", definition.namespace());
        map("labels", labels);
        map("annotations", annotations);
        put("lastScheduledTime", last == null ? "" : DateTimeFormatter.ISO_INSTANT.format(last));
        put("failed", Long.toString(state.failed()));
        put("succeeded", Long.toString(state.succeeded()));
        options =
                ExprOptions.workflows(
                        InstantSource.fixed(now),
                        new SeededRandom(
                                (definition.namespace() + "/" + definition.name()).hashCode() * 31L
                                        + now.toEpochMilli()));
    }

    private void put(String name, String value) {
        flat.put(ROOT + "." + name, value);
    }

    private void map(String name, Map<String, String> values) {
        String json = Json.tree(new TreeMap<>(values)).toString();
        put(name, json);
        put(name + ".json", json);
        values.forEach((key, value) -> put(name + "." + key, value));
    }

    @Override
    public Lookup lookup(String name) {
        String value = flat.get(name);
        return value == null ? new Lookup.Missing() : new Lookup.Value(value);
    }

    @Override
    public Environment environment() {
        return Environment.of(Map.of(ROOT, members));
    }

    @Override
    public ExprOptions options() {
        return options;
    }
}
