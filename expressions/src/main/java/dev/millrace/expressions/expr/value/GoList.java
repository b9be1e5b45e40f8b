package dev.millrace.expressions.expr.value;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * An unmodifiable list whose elements have a Go type of their own; a plain list is {@code
 * []interface {}}.
 */
public final class GoList extends AbstractList<@Nullable Object> implements RandomAccess {

    private final String type;
    private final List<? extends @Nullable Object> elements;
    private final boolean nil;

    private GoList(String type, List<? extends @Nullable Object> elements, boolean nil) {
        this.type = type;
        this.elements = elements;
        this.nil = nil;
    }

    /**
     * @param type the type of the list, for instance {@code []string}
     */
    public static GoList of(String type, List<? extends @Nullable Object> elements) {
        return new GoList(type, elements, false);
    }

    public static GoList ofStrings(List<String> elements) {
        return new GoList("[]string", elements, false);
    }

    /** The list that is nil: it has no elements, equals nil and prints as null in JSON. */
    public static GoList nil(String type) {
        return new GoList(type, List.of(), true);
    }

    /** The integers from first to last, both included; nothing is stored. */
    public static GoList range(long first, long last) {
        int size = last < first ? 0 : Math.toIntExact(last - first + 1);
        return new GoList("[]int", new Range(first, size), false);
    }

    public String type() {
        return type;
    }

    public boolean isNil() {
        return nil;
    }

    /** A part of the list, of the same type. */
    public GoList slice(int from, int to) {
        return new GoList(type, elements.subList(from, to), false);
    }

    @Override
    public @Nullable Object get(int index) {
        return elements.get(index);
    }

    @Override
    public int size() {
        return elements.size();
    }

    private static final class Range extends AbstractList<@Nullable Object>
            implements RandomAccess {
        private final long first;
        private final int size;

        Range(long first, int size) {
            this.first = first;
            this.size = size;
        }

        @Override
        public Object get(int index) {
            if (index < 0 || index >= size) {
                throw new IndexOutOfBoundsException(index);
            }
            return first + index;
        }

        @Override
        public int size() {
            return size;
        }
    }
}
