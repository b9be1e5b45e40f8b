package dev.millrace.expressions.gojson;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds maps and lists from what it is told. */
final class Decoder implements JsonEvents {

    private sealed interface Container {
        void add(@Nullable Object value);

        Object content();
    }

    private record Array(List<@Nullable Object> content) implements Container {
        @Override
        public void add(@Nullable Object value) {
            content.add(value);
        }
    }

    private static final class Members implements Container {
        private final Map<String, @Nullable Object> content = new LinkedHashMap<>();
        private String key = "";

        @Override
        public void add(@Nullable Object value) {
            content.put(key, value);
        }

        @Override
        public Map<String, @Nullable Object> content() {
            return content;
        }
    }

    private final Deque<Container> open = new ArrayDeque<>();
    private @Nullable Object result;

    /** The decoded value, once the scan is over. */
    @Nullable Object result() {
        return result;
    }

    @Override
    public void beginObject() {
        open.addLast(new Members());
    }

    @Override
    public void key(String raw) {
        if (open.getLast() instanceof Members members) {
            members.key = JsonText.unquote(raw);
        }
    }

    @Override
    public void endObject() {
        add(open.removeLast().content());
    }

    @Override
    public void beginArray() {
        open.addLast(new Array(new ArrayList<>()));
    }

    @Override
    public void endArray() {
        add(open.removeLast().content());
    }

    @Override
    public void scalar(String raw) {
        add(
                switch (raw.charAt(0)) {
                    case '"' -> JsonText.unquote(raw);
                    case 't' -> Boolean.TRUE;
                    case 'f' -> Boolean.FALSE;
                    case 'n' -> null;
                    default -> number(raw);
                });
    }

    private static Double number(String raw) {
        double value = Double.parseDouble(raw);
        if (Double.isInfinite(value)) {
            throw new GoJsonException(
                    "json: cannot unmarshal number " + raw + " into Go value of type float64");
        }
        return value;
    }

    private void add(@Nullable Object value) {
        if (open.isEmpty()) {
            result = value;
        } else {
            open.getLast().add(value);
        }
    }
}
