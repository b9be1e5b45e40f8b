package dev.millrace.expressions.sprig;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.regex.GoRegex;
import java.util.ArrayList;
import java.util.List;

/**
 * Which versions are wanted: comparisons joined by commas or spaces (all must hold) and {@code ||}
 * (one must). {@code ^1.2}, {@code ~1.2}, {@code 1.2.x} and {@code 1.2 - 1.4} are ranges. A
 * prerelease is accepted only where the comparison names one.
 */
record VersionConstraint(List<List<Comparison>> alternatives) {

    private static final Pattern RANGE = GoRegex.compile("([^\\s|,]+)\\s+-\\s+([^\\s|,]+)");
    private static final Pattern PART =
            GoRegex.compile("(=>|=<|>=|<=|!=|~>|=|>|<|\\^|~|)\\s*([^\\s,|=<>!~^]+)");

    /**
     * @param parts how many of major, minor and patch are given; the rest is open
     */
    record Comparison(String operator, SemanticVersion version, int parts) {

        boolean accepts(SemanticVersion candidate) {
            if (!candidate.prerelease().isEmpty() && version.prerelease().isEmpty()) {
                return false;
            }
            return switch (operator) {
                case "", "=" ->
                        parts < 3 ? below(candidate, tilde()) : candidate.compareTo(version) == 0;
                case "!=" ->
                        parts < 3 ? !below(candidate, tilde()) : candidate.compareTo(version) != 0;
                case ">" ->
                        parts < 3
                                ? candidate.compareTo(tilde()) >= 0 && parts > 0
                                : candidate.compareTo(version) > 0;
                case ">=", "=>" -> candidate.compareTo(version) >= 0;
                case "<" -> candidate.compareTo(version) < 0;
                case "<=", "=<" ->
                        parts < 3
                                ? parts == 0 || candidate.compareTo(tilde()) < 0
                                : candidate.compareTo(version) <= 0;
                case "~", "~>" -> below(candidate, tilde());
                default -> below(candidate, caret());
            };
        }

        private boolean below(SemanticVersion candidate, SemanticVersion end) {
            return parts == 0
                    || (candidate.compareTo(version) >= 0 && candidate.compareTo(end) < 0);
        }

        /**
         * The first version beyond {@code ~}: the next minor, or the next major if only that is
         * given.
         */
        private SemanticVersion tilde() {
            return parts < 2
                    ? version.with(version.major() + 1, 0, 0)
                    : version.with(version.major(), version.minor() + 1, 0);
        }

        /** The first version beyond {@code ^}: the leftmost part that is not zero goes up. */
        private SemanticVersion caret() {
            if (version.major() > 0 || parts < 2) {
                return version.with(version.major() + 1, 0, 0);
            }
            return version.minor() > 0 || parts < 3
                    ? version.with(0, version.minor() + 1, 0)
                    : version.with(0, 0, version.patch() + 1);
        }
    }

    /**
     * @throws GoPanic if the text is no constraint
     */
    static VersionConstraint of(String text) {
        List<List<Comparison>> alternatives = new ArrayList<>();
        for (String alternative : text.split("\\|\\|", -1)) {
            alternatives.add(
                    comparisons(RANGE.matcher(alternative).replaceAll(">= $1, <= $2"), text));
        }
        return new VersionConstraint(alternatives);
    }

    private static List<Comparison> comparisons(String alternative, String whole) {
        List<Comparison> comparisons = new ArrayList<>();
        Matcher matcher = PART.matcher(alternative);
        int from = 0;
        while (matcher.find()) {
            requireSeparator(alternative.substring(from, matcher.start()), whole);
            comparisons.add(comparison(matcher.group(1), matcher.group(2), whole));
            from = matcher.end();
        }
        requireSeparator(alternative.substring(from), whole);
        if (comparisons.isEmpty()) {
            throw improper(whole);
        }
        return comparisons;
    }

    private static void requireSeparator(String between, String whole) {
        if (!between.replace(",", "").isBlank()) {
            throw improper(whole);
        }
    }

    private static GoPanic improper(String whole) {
        return new GoPanic("improper constraint: " + whole);
    }

    private static Comparison comparison(String operator, String version, String whole) {
        int suffix = version.indexOf('-') < 0 ? version.length() : version.indexOf('-');
        String[] numbers =
                version.substring(version.startsWith("v") ? 1 : 0, suffix).split("\\.", -1);
        int parts = 0;
        while (parts < numbers.length && parts < 3 && !numbers[parts].matches("[xX*]")) {
            parts++;
        }
        String fixed = parts == 0 ? "0" : String.join(".", List.of(numbers).subList(0, parts));
        try {
            return new Comparison(
                    operator,
                    SemanticVersion.of(fixed + (parts == 3 ? version.substring(suffix) : "")),
                    parts);
        } catch (GoPanic e) {
            throw improper(whole);
        }
    }

    boolean accepts(SemanticVersion version) {
        return alternatives.stream()
                .anyMatch(
                        alternative ->
                                alternative.stream().allMatch(each -> each.accepts(version)));
    }
}
