package dev.millrace.expressions.sprig;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.millrace.expressions.expr.value.GoFunction;
import dev.millrace.expressions.expr.value.GoInteger;
import dev.millrace.expressions.expr.value.GoObject;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.regex.GoRegex;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A semantic version. Minor and patch may be missing in the text and are 0 then.
 *
 * @param original the text that it was read from
 */
record SemanticVersion(
        long major, long minor, long patch, String prerelease, String metadata, String original)
        implements GoObject, Comparable<SemanticVersion> {

    private static final Pattern FORM =
            GoRegex.compile(
                    "v?([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?");

    /**
     * @throws GoPanic if the text is no version
     */
    static SemanticVersion of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new GoPanic("Invalid Semantic Version");
        }
        return new SemanticVersion(
                number(matcher.group(1)),
                number(matcher.group(2)),
                number(matcher.group(3)),
                Objects.requireNonNullElse(matcher.group(4), ""),
                Objects.requireNonNullElse(matcher.group(5), ""),
                text);
    }

    private static long number(@Nullable String digits) {
        if (digits == null) {
            return 0;
        }
        if (digits.length() > 18) {
            throw new GoPanic("Invalid Semantic Version");
        }
        return Long.parseLong(digits);
    }

    SemanticVersion with(long newMajor, long newMinor, long newPatch) {
        String text = newMajor + "." + newMinor + "." + newPatch;
        return new SemanticVersion(newMajor, newMinor, newPatch, "", "", text);
    }

    @Override
    public @Nullable GoFunction method(String name) {
        return switch (name) {
            case "Major" -> a -> GoInteger.uint64(major);
            case "Minor" -> a -> GoInteger.uint64(minor);
            case "Patch" -> a -> GoInteger.uint64(patch);
            case "Prerelease" -> a -> prerelease;
            case "Metadata" -> a -> metadata;
            case "Original" -> a -> original;
            case "String" -> a -> toString();
            case "IncMajor" -> a -> with(major + 1, 0, 0);
            case "IncMinor" -> a -> with(major, minor + 1, 0);
            case "IncPatch" ->
                    a ->
                            prerelease.isEmpty()
                                    ? with(major, minor, patch + 1)
                                    : with(major, minor, patch);
            case "Compare" -> a -> (long) Integer.signum(compareTo(other(name, a)));
            case "Equal" -> a -> compareTo(other(name, a)) == 0;
            case "LessThan" -> a -> compareTo(other(name, a)) < 0;
            case "GreaterThan" -> a -> compareTo(other(name, a)) > 0;
            default -> null;
        };
    }

    private static SemanticVersion other(
            String name, java.util.List<? extends @Nullable Object> arguments) {
        if (arguments.size() == 1 && arguments.get(0) instanceof SemanticVersion version) {
            return version;
        }
        throw new GoPanic(name + " takes one semantic version");
    }

    @Override
    public String goType() {
        return "*semver.Version";
    }

    @Override
    public int compareTo(SemanticVersion other) {
        int order = Long.compare(major, other.major);
        order = order != 0 ? order : Long.compare(minor, other.minor);
        order = order != 0 ? order : Long.compare(patch, other.patch);
        return order != 0 ? order : comparePrereleases(prerelease, other.prerelease);
    }

    /** A release comes after its prereleases; numbers come before words. */
    private static int comparePrereleases(String a, String b) {
        if (a.isEmpty() || b.isEmpty()) {
            return Boolean.compare(a.isEmpty(), b.isEmpty());
        }
        String[] left = a.split("\\.");
        String[] right = b.split("\\.");
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            boolean leftNumber = left[i].chars().allMatch(Character::isDigit);
            boolean rightNumber = right[i].chars().allMatch(Character::isDigit);
            int order =
                    leftNumber && rightNumber
                            ? new java.math.BigInteger(left[i])
                                    .compareTo(new java.math.BigInteger(right[i]))
                            : leftNumber != rightNumber
                                    ? (leftNumber ? -1 : 1)
                                    : left[i].compareTo(right[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    @Override
    public String toString() {
        return major
                + "."
                + minor
                + "."
                + patch
                + (prerelease.isEmpty() ? "" : "-" + prerelease)
                + (metadata.isEmpty() ? "" : "+" + metadata);
    }
}
