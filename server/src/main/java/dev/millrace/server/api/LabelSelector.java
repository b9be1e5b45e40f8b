package dev.millrace.server.api;

import dev.millrace.server.command.RefusedException;
import dev.millrace.server.readmodel.RowCondition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A label selector as Kubernetes writes it: {@code a=b,c!=d,e,!f,g in (x,y),h notin (z)}. */
record LabelSelector(List<Requirement> requirements) {

    /** One condition; all of them must hold. */
    sealed interface Requirement {
        boolean matches(Map<String, String> labels);

        /** The same, of rows. */
        RowCondition condition();
    }

    record In(String key, Set<String> values) implements Requirement {
        @Override
        public boolean matches(Map<String, String> labels) {
            return labels.containsKey(key) && values.contains(labels.get(key));
        }

        @Override
        public RowCondition condition() {
            return RowCondition.labelIn(key, values);
        }
    }

    /** Also fulfilled where the label is absent. */
    record NotIn(String key, Set<String> values) implements Requirement {
        @Override
        public boolean matches(Map<String, String> labels) {
            return !labels.containsKey(key) || !values.contains(labels.get(key));
        }

        @Override
        public RowCondition condition() {
            return RowCondition.labelNotIn(key, values);
        }
    }

    record Present(String key) implements Requirement {
        @Override
        public boolean matches(Map<String, String> labels) {
            return labels.containsKey(key);
        }

        @Override
        public RowCondition condition() {
            return RowCondition.hasLabel(key);
        }
    }

    record Absent(String key) implements Requirement {
        @Override
        public boolean matches(Map<String, String> labels) {
            return !labels.containsKey(key);
        }

        @Override
        public RowCondition condition() {
            return RowCondition.lacksLabel(key);
        }
    }

    private static final String KEY = "([-A-Za-z0-9_./]+)";
    private static final Pattern SET = Pattern.compile(KEY + "\\s+(in|notin)\\s*\\(([^()]*)\\)");
    private static final Pattern EQUALITY =
            Pattern.compile(KEY + "\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)");
    private static final Pattern EXISTENCE = Pattern.compile("(!?)\\s*" + KEY);

    /**
     * Reads a selector; an empty one selects all.
     *
     * @throws RefusedException naming the part that cannot be read
     */
    static LabelSelector parse(String text) {
        List<Requirement> requirements = new ArrayList<>();
        for (String part : parts(text)) {
            requirements.add(requirement(part.strip(), text));
        }
        return new LabelSelector(requirements);
    }

    boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(r -> r.matches(labels));
    }

    RowCondition condition() {
        return RowCondition.all(requirements.stream().map(Requirement::condition).toList());
    }

    private static Requirement requirement(String part, String whole) {
        Matcher set = SET.matcher(part);
        if (set.matches()) {
            Set<String> values = new TreeSet<>();
            Arrays.stream(set.group(3).split(",", -1)).map(String::strip).forEach(values::add);
            return set.group(2).equals("in")
                    ? new In(set.group(1), values)
                    : new NotIn(set.group(1), values);
        }
        Matcher equality = EQUALITY.matcher(part);
        if (equality.matches()) {
            Set<String> value = Set.of(equality.group(3));
            return equality.group(2).equals("!=")
                    ? new NotIn(equality.group(1), value)
                    : new In(equality.group(1), value);
        }
        Matcher existence = EXISTENCE.matcher(part);
        if (existence.matches()) {
            return existence.group(1).isEmpty()
                    ? new Present(existence.group(2))
                    : new Absent(existence.group(2));
        }
        throw RefusedException.invalid(
                "unable to parse the label selector '%s' at '%s'; write key=value, key!=value, key, !key, key in (a,b) or key notin (a,b), separated by commas"
                        .formatted(whole, part));
    }

    /** Splits at commas outside parentheses. */
    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (c == ',' && depth == 0) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return text.isBlank() ? List.of() : parts;
    }
}
