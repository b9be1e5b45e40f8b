package dev.millrace.triggers.parameter;

import dev.millrace.expressions.gjson.GjsonPath;
import dev.millrace.expressions.gjson.GjsonResult;
import dev.millrace.expressions.gjson.Sjson;
import dev.millrace.expressions.gjson.SjsonException;
import dev.millrace.schemas.sensor.TriggerParameter;
import java.util.List;

/**
 * Puts values of events into JSON texts, in the order of the list: later parameters see what
 * earlier ones did.
 */
public final class Parameters {

    private final ParameterSources sources;

    public Parameters(ParameterSources sources) {
        this.sources = sources;
    }

    /** A text with the parameters in it, or why there is none. */
    public sealed interface Applied {

        /** The text. */
        record Done(String text) implements Applied {}

        /** A value is not there; another attempt would be no other, but it is made. */
        record Failed(String message) implements Applied {}

        /** Asks for what is not supported yet. */
        record Unsupported(String message) implements Applied {}
    }

    /** Changes a document: template or resource. Values of absent events leave it as it is. */
    public Applied apply(String json, List<TriggerParameter> parameters) {
        String result = json;
        for (TriggerParameter parameter : parameters) {
            String dest = parameter.dest() == null ? "" : parameter.dest();
            ParameterValue value = combined(result, parameter, dest);
            switch (set(result, dest, value)) {
                case Applied.Done(String next) -> result = next;
                case Applied.Failed failed -> {
                    return failed;
                }
                case Applied.Unsupported unsupported -> {
                    return unsupported;
                }
            }
        }
        return new Applied.Done(result);
    }

    /**
     * Makes a document out of nothing. Every item overwrites, whatever its operation says. An item
     * without {@code dest} is the whole result, as plain text.
     */
    public Applied payload(List<TriggerParameter> parameters) {
        String result = "";
        for (TriggerParameter parameter : parameters) {
            ParameterValue value = sources.value(parameter.src());
            String dest = parameter.dest() == null ? "" : parameter.dest();
            if (dest.isEmpty()) {
                switch (value) {
                    case ParameterValue.Text(String text) -> {
                        return new Applied.Done(text);
                    }
                    case ParameterValue.Raw(String json) -> {
                        return new Applied.Done(json);
                    }
                    case ParameterValue.Absent() -> {
                        continue;
                    }
                    case ParameterValue.Unresolved(String message) -> {
                        return new Applied.Failed(message);
                    }
                    case ParameterValue.Unsupported(String message) -> {
                        return new Applied.Unsupported(message);
                    }
                }
            }
            switch (set(result, dest, value)) {
                case Applied.Done(String next) -> result = next;
                case Applied.Failed failed -> {
                    return failed;
                }
                case Applied.Unsupported unsupported -> {
                    return unsupported;
                }
            }
        }
        return new Applied.Done(result);
    }

    /** Joins with the text that is there; then the result is a text. */
    private ParameterValue combined(String json, TriggerParameter parameter, String dest) {
        ParameterValue value = sources.value(parameter.src());
        String operation = parameter.operation() == null ? "" : parameter.operation();
        String text =
                switch (value) {
                    case ParameterValue.Text(String t) -> t;
                    case ParameterValue.Raw(String raw) -> raw;
                    case ParameterValue.Absent(),
                            ParameterValue.Unresolved(_),
                            ParameterValue.Unsupported(_) ->
                            null;
                };
        GjsonResult current = GjsonPath.get(json, dest);
        if (text == null || !current.exists()) {
            return value;
        }
        return switch (operation) {
            case "append" -> new ParameterValue.Text(current.text() + text);
            case "prepend" -> new ParameterValue.Text(text + current.text());
            case "", "overwrite" -> value;
            default ->
                    new ParameterValue.Unsupported(
                            "unknown operation "
                                    + operation
                                    + ", write append, prepend or overwrite");
        };
    }

    private static Applied set(String json, String dest, ParameterValue value) {
        try {
            return switch (value) {
                case ParameterValue.Text(String text) ->
                        new Applied.Done(Sjson.set(json, dest, text));
                case ParameterValue.Raw(String raw) ->
                        new Applied.Done(Sjson.setRaw(json, dest, raw));
                case ParameterValue.Absent() -> new Applied.Done(json);
                case ParameterValue.Unresolved(String message) -> new Applied.Failed(message);
                case ParameterValue.Unsupported(String message) -> new Applied.Unsupported(message);
            };
        } catch (SjsonException e) {
            return new Applied.Failed("dest '" + dest + "': " + e.getMessage());
        }
    }
}
