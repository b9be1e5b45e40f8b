package dev.millrace.triggers.parameter;

import dev.millrace.expressions.gjson.GjsonPath;
import dev.millrace.expressions.gjson.GjsonResult;
import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.sensor.TriggerParameterSource;
import dev.millrace.schemas.yaml.Documents;
import dev.millrace.schemas.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sources of parameters from the events of an activation: a key of the data or of the
 * context, the whole event when there is no key, the default when what is asked for is not there.
 */
public final class ParameterSources {

    private final Map<String, EventRef> events;

    /**
     * @param events by dependency
     */
    public ParameterSources(Map<String, EventRef> events) {
        this.events = Map.copyOf(events);
    }

    /** The value of a source. */
    public ParameterValue value(TriggerParameterSource source) {
        EventRef event = events.get(source.dependencyName());
        if (event == null) {
            return source.value() == null
                    ? new ParameterValue.Absent()
                    : new ParameterValue.Text(source.value());
        }
        if (isSet(source.dataTemplate()) || isSet(source.contextTemplate())) {
            return new ParameterValue.Unsupported(
                    "a template in a parameter is not supported yet; take a value as it is, with"
                            + " dataKey or contextKey");
        }
        if (!isSet(source.dataKey()) && !isSet(source.contextKey())) {
            return new ParameterValue.Text(
                    source.value() == null ? wholeEvent(event) : source.value());
        }
        Optional<GjsonResult> found = find(source, event);
        if (found.isPresent()) {
            return placed(found.get(), Boolean.TRUE.equals(source.useRawData()));
        }
        return source.value() == null
                ? new ParameterValue.Unresolved(
                        "unable to resolve '"
                                + source.dependencyName()
                                + "' parameter value: "
                                + missing(source, event))
                : new ParameterValue.Text(source.value());
    }

    /** With both keys the data wins. */
    private static Optional<GjsonResult> find(TriggerParameterSource source, EventRef event) {
        String dataKey = source.dataKey();
        if (dataKey != null && !dataKey.isEmpty()) {
            return data(event)
                    .map(json -> GjsonPath.get(json, dataKey))
                    .filter(GjsonResult::exists);
        }
        return Optional.of(GjsonPath.get(context(event), String.valueOf(source.contextKey())))
                .filter(GjsonResult::exists);
    }

    private static String missing(TriggerParameterSource source, EventRef event) {
        if (isSet(source.dataKey())) {
            return data(event).isPresent()
                    ? "the data of event " + event.id() + " has no " + source.dataKey()
                    : "the data of event " + event.id() + " is neither JSON nor YAML";
        }
        return "the context of an event has no " + source.contextKey();
    }

    /** A null keeps its name; other values are their text, so that 1000.0 is 1000. */
    private static ParameterValue placed(GjsonResult result, boolean raw) {
        String text =
                switch (result.type()) {
                    case NULL -> "null";
                    case FALSE, NUMBER, STRING, TRUE, JSON -> result.text();
                };
        return raw && result.type() != GjsonResult.Type.STRING
                ? new ParameterValue.Raw(text)
                : new ParameterValue.Text(text);
    }

    private static Optional<String> data(EventRef event) {
        String type = event.dataContentType();
        if (type == null || type.equals("application/json")) {
            return GoJson.isValid(event.data()) ? Optional.of(event.data()) : Optional.empty();
        }
        if (type.equals("application/yaml")) {
            Documents documents = YamlReader.read("event " + event.id(), event.data());
            return documents.documents().size() == 1 && documents.faults().isEmpty()
                    ? Optional.of(documents.documents().getFirst().tree().toString())
                    : Optional.empty();
        }
        return Optional.empty();
    }

    private static String context(EventRef event) {
        return GoJson.encode(contextMap(event));
    }

    private static String wholeEvent(EventRef event) {
        String data =
                Base64.getEncoder().encodeToString(event.data().getBytes(StandardCharsets.UTF_8));
        return "{\"context\":"
                + ordered(contextMap(event))
                + ",\"data\":"
                + GoJson.quote(data)
                + "}";
    }

    private static Map<String, String> contextMap(EventRef event) {
        Map<String, String> context = new LinkedHashMap<>();
        context.put("id", event.id());
        context.put("source", event.source());
        context.put("specversion", event.specVersion());
        context.put("type", event.type());
        context.put(
                "datacontenttype", event.dataContentType() == null ? "" : event.dataContentType());
        context.put("subject", event.subject());
        context.put(
                "time",
                DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                        event.time().truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC)));
        return context;
    }

    private static String ordered(Map<String, String> members) {
        StringBuilder json = new StringBuilder("{");
        members.forEach(
                (name, value) -> {
                    if (json.length() > 1) {
                        json.append(',');
                    }
                    json.append(GoJson.quote(name)).append(':').append(GoJson.quote(value));
                });
        return json.append('}').toString();
    }

    private static boolean isSet(@Nullable String text) {
        return text != null && !text.isEmpty();
    }
}
