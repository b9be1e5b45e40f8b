package dev.millrace.expressions.jsonpath;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows a path. A segment that may give several values gives a list, and the rest of the path
 * applies to each of its elements; those where it leads nowhere fall out. Elsewhere leading nowhere
 * is an error.
 */
final class Walk {

    private static final int MAX_RESULTS = 1_000_000;

    private final @Nullable Object root;
    private int visited;

    private Walk(@Nullable Object root) {
        this.root = root;
    }

    static @Nullable Object from(
            @Nullable Object root, @Nullable Object start, List<Segment> segments) {
        return new Walk(root).follow(start, segments);
    }

    private @Nullable Object follow(@Nullable Object value, List<Segment> segments) {
        if (segments.isEmpty()) {
            return value;
        }
        Segment first = segments.getFirst();
        List<Segment> rest = segments.subList(1, segments.size());
        List<@Nullable Object> several = several(value, first);
        if (several == null) {
            return follow(single(value, first), rest);
        }
        if (rest.isEmpty()) {
            return several;
        }
        List<@Nullable Object> results = new ArrayList<>();
        for (Object each : several) {
            try {
                results.add(follow(each, rest));
            } catch (JsonPathException e) {
                // Leads nowhere from this element, which then is not among the results.
                continue;
            }
        }
        return results;
    }

    /** The values that the segment gives, or null if it is one that gives a single value. */
    private @Nullable List<@Nullable Object> several(@Nullable Object value, Segment segment) {
        return switch (segment) {
            case Segment.Key key -> null;
            case Segment.Index index -> null;
            case Segment.Script script -> null;
            case Segment.Wildcard wildcard -> new ArrayList<>(children(value, "*"));
            case Segment.Union union -> union(value, union);
            case Segment.Range range ->
                    value instanceof String ? null : range(list(value), range, value);
            case Segment.Filter filter -> filter(value, filter);
            case Segment.Recursive recursive -> {
                List<@Nullable Object> found = new ArrayList<>();
                descend(value, recursive.member(), found);
                yield found;
            }
        };
    }

    /** What the segment gives, one value or several. */
    private List<@Nullable Object> all(@Nullable Object value, Segment segment) {
        List<@Nullable Object> several = several(value, segment);
        return several == null ? Collections.singletonList(single(value, segment)) : several;
    }

    private @Nullable Object single(@Nullable Object value, Segment segment) {
        return switch (segment) {
            case Segment.Key key -> key(value, key.name());
            case Segment.Index index -> element(value, index.index());
            case Segment.Script script -> {
                Object target = script.expression().evaluate(root, value);
                yield switch (target) {
                    case String name -> key(value, name);
                    case Number number -> element(value, number.longValue());
                    case null, default ->
                            throw new JsonPathException("script: invalid result: no key or index");
                };
            }
            case Segment.Range range ->
                    part((String) java.util.Objects.requireNonNull(value), range);
            case Segment.Wildcard ignored ->
                    throw new IllegalStateException("gives several values");
            case Segment.Union ignored -> throw new IllegalStateException("gives several values");
            case Segment.Filter ignored -> throw new IllegalStateException("gives several values");
            case Segment.Recursive ignored ->
                    throw new IllegalStateException("gives several values");
        };
    }

    private static @Nullable Object key(@Nullable Object value, String name) {
        if (value instanceof Map<?, ?> map && map.containsKey(name)) {
            return map.get(name);
        }
        if (name.equals("length")) {
            switch (value) {
                case Map<?, ?> map -> {
                    return (double) map.size();
                }
                case List<?> list -> {
                    return (double) list.size();
                }
                case String text -> {
                    return (double) text.codePointCount(0, text.length());
                }
                case null, default -> {}
            }
        }
        throw new JsonPathException(
                value instanceof Map
                        ? "key: invalid token key '" + name + "' not found"
                        : "key: invalid token target. expected [map] got [" + kind(value) + "]");
    }

    private static @Nullable Object element(@Nullable Object value, long index) {
        if (value instanceof String text) {
            int[] points = text.codePoints().toArray();
            return Character.toString(points[position(index, points.length)]);
        }
        if (!(value instanceof List<?> list)) {
            throw new JsonPathException(
                    "index: invalid token target. expected [array slice] got ["
                            + kind(value)
                            + "]");
        }
        return list.get(position(index, list.size()));
    }

    private static int position(long index, int size) {
        long position = index < 0 ? index + size : index;
        if (position < 0 || position >= size) {
            throw new JsonPathException("index: invalid token out of range");
        }
        return (int) position;
    }

    /** The elements of a list or the values of a map in the order of the keys. */
    private static Collection<?> children(@Nullable Object value, String what) {
        return switch (value) {
            case List<?> list -> list;
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> sorted = new TreeMap<>();
                map.forEach((key, child) -> sorted.put(String.valueOf(key), child));
                yield sorted.values();
            }
            case null, default ->
                    throw new JsonPathException(
                            what
                                    + ": invalid token target. expected [array map slice] got ["
                                    + kind(value)
                                    + "]");
        };
    }

    private List<@Nullable Object> union(@Nullable Object value, Segment.Union union) {
        children(value, "union");
        List<@Nullable Object> found = new ArrayList<>();
        for (Segment member : union.members()) {
            try {
                found.addAll(all(value, member));
            } catch (JsonPathException e) {
                // A member that is missing is not among the results.
                continue;
            }
        }
        return found;
    }

    private static List<?> list(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new JsonPathException(
                "range: invalid token target. expected [array slice] got [" + kind(value) + "]");
    }

    private List<@Nullable Object> range(
            List<?> list, Segment.Range range, @Nullable Object value) {
        int size = list.size();
        int from = bound(range.from(), 0, size, value);
        int to = bound(range.to(), size, size, value);
        long step = range.step() == null ? 1 : whole(range.step().evaluate(root, value));
        if (step == 0) {
            throw new JsonPathException("range: invalid token out of range");
        }
        List<@Nullable Object> part = new ArrayList<>();
        if (step > 0) {
            for (long i = from; i < to; i += step) {
                part.add(list.get((int) i));
            }
        } else {
            for (long i = to - 1L; i >= from; i += step) {
                part.add(list.get((int) i));
            }
        }
        return part;
    }

    private String part(String text, Segment.Range range) {
        List<String> letters = text.codePoints().mapToObj(Character::toString).toList();
        StringBuilder out = new StringBuilder();
        range(letters, range, text).forEach(out::append);
        return out.toString();
    }

    private int bound(
            @Nullable Expression expression, int otherwise, int size, @Nullable Object value) {
        if (expression == null) {
            return otherwise;
        }
        long bound = whole(expression.evaluate(root, value));
        return (int) Math.clamp(bound < 0 ? bound + size : bound, 0L, (long) size);
    }

    private static long whole(@Nullable Object value) {
        if (value instanceof Number number
                && number.doubleValue() == Math.rint(number.doubleValue())) {
            return number.longValue();
        }
        throw new JsonPathException("range: invalid token argument. expected integer");
    }

    private List<@Nullable Object> filter(@Nullable Object value, Segment.Filter filter) {
        List<@Nullable Object> kept = new ArrayList<>();
        for (Object each : children(value, "filter")) {
            try {
                if (Expression.truthy(filter.condition().evaluate(root, each))) {
                    kept.add(each);
                }
            } catch (JsonPathException e) {
                // A condition that cannot be answered does not hold.
                continue;
            }
        }
        return kept;
    }

    private void descend(@Nullable Object value, Segment member, List<@Nullable Object> found) {
        if (!(value instanceof List) && !(value instanceof Map)) {
            return;
        }
        if (++visited > MAX_RESULTS) {
            throw new JsonPathException("recursive: too many values");
        }
        try {
            found.addAll(all(value, member));
        } catch (JsonPathException e) {
            // Not here; maybe below.
            visited++;
        }
        for (Object child : children(value, "recursive")) {
            descend(child, member, found);
        }
    }

    private static String kind(@Nullable Object value) {
        return switch (value) {
            case null -> "nil";
            case Map<?, ?> map -> "map";
            case List<?> list -> "slice";
            case String text -> "string";
            case Boolean bool -> "bool";
            default -> "float64";
        };
    }
}
