package dev.millrace.expressions.sprig;

import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoPrint;
import dev.millrace.expressions.expr.value.GoType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The arguments of a call, read as the type that the parameter has. */
record Arguments(String function, List<? extends @Nullable Object> values) {

    int size() {
        return values.size();
    }

    @Nullable Object get(int index) {
        if (index >= values.size()) {
            throw new GoPanic("not enough arguments to call " + function);
        }
        return values.get(index);
    }

    List<? extends @Nullable Object> from(int index) {
        return values.subList(Math.min(index, values.size()), values.size());
    }

    String text(int index) {
        return get(index) instanceof String text ? text : this.<String>refuse(index, "string");
    }

    boolean bool(int index) {
        return get(index) instanceof Boolean bool ? bool : this.<Boolean>refuse(index, "bool");
    }

    int integer(int index) {
        Object value = get(index);
        if (value == null || !GoType.isInteger(value)) {
            return this.<Integer>refuse(index, "int");
        }
        long number = GoType.toLong(value);
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number));
    }

    List<?> list(int index) {
        return get(index) instanceof List<?> list ? list : this.<List<?>>refuse(index, "list");
    }

    Map<?, ?> dict(int index) {
        return get(index) instanceof Map<?, ?> map
                ? map
                : this.<Map<?, ?>>refuse(index, "map[string]interface {}");
    }

    private <T> T refuse(int index, String wanted) {
        throw new GoPanic(
                "cannot use "
                        + GoType.name(get(index))
                        + " as argument (type "
                        + wanted
                        + ") to call "
                        + function);
    }

    /** How Sprig turns any value into text. */
    static String shown(@Nullable Object value) {
        return GoPrint.print(value);
    }

    /** The value as texts: a list gives its elements without nil, anything else is one text. */
    static List<String> texts(@Nullable Object value) {
        List<String> texts = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.stream().filter(Objects::nonNull).forEach(each -> texts.add(shown(each)));
        } else if (value != null) {
            texts.add(shown(value));
        }
        return texts;
    }

    /** Whether the value is nil or the zero of its type. */
    static boolean empty(@Nullable Object value) {
        return switch (value) {
            case null -> true;
            case String text -> text.isEmpty();
            case Boolean bool -> !bool;
            case List<?> list -> list.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            case Object other -> GoType.isNumber(other) && GoType.toDouble(other) == 0;
        };
    }
}
