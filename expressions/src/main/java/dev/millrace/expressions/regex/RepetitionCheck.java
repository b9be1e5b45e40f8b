package dev.millrace.expressions.regex;

import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How often the innermost part of a pattern is repeated: the product of the counts around it, by
 * Go's rule at most 1,000. Whether the text is a pattern at all is not decided here.
 */
final class RepetitionCheck {

    private static final int MOST_REPETITIONS = 1_000;

    /** Parts of the program that RE2 makes, about: characters, each as often as repeated. */
    private static final long MOST_PARTS = 1_000_000;

    private static final int MOST_DEPTH = 1_000;

    private final String pattern;
    private final Deque<Integer> around = new ArrayDeque<>();
    private int inGroup = 1;
    private int last = 1;
    private int at;

    private RepetitionCheck(String pattern) {
        this.pattern = pattern;
    }

    /**
     * @throws PatternSyntaxException if there are too many
     */
    static void check(String pattern) {
        new RepetitionCheck(pattern).run();
    }

    private void run() {
        while (at < pattern.length()) {
            switch (pattern.charAt(at)) {
                case '\\' -> escape();
                case '[' -> characterClass();
                case '(' -> {
                    around.push(inGroup);
                    if (around.size() > MOST_DEPTH) {
                        throw new PatternSyntaxException(
                                "expression nests too deeply", excerpt(pattern));
                    }
                    inGroup = 1;
                    last = 1;
                    at++;
                }
                case ')' -> {
                    last = inGroup;
                    inGroup = around.isEmpty() ? 1 : Math.max(around.pop(), last);
                    at++;
                }
                case '{' -> braces();
                default -> {
                    last = 1;
                    at++;
                }
            }
        }
    }

    private void escape() {
        last = 1;
        if (pattern.startsWith("\\Q", at)) {
            int end = pattern.indexOf("\\E", at);
            at = end < 0 ? pattern.length() : end + 2;
        } else {
            at += 2;
        }
    }

    private void characterClass() {
        last = 1;
        at++;
        if (pattern.startsWith("^", at)) {
            at++;
        }
        // A bracket that comes first is one of the characters.
        at++;
        while (at < pattern.length() && pattern.charAt(at) != ']') {
            at += pattern.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
    }

    private void braces() {
        int end = pattern.indexOf('}', at);
        String inside = end < 0 ? "" : pattern.substring(at + 1, end);
        int comma = inside.indexOf(',');
        int least = count(comma < 0 ? inside : inside.substring(0, comma));
        boolean open = comma < 0 || comma == inside.length() - 1;
        int count = open ? least : count(inside.substring(comma + 1));
        if (least < 0 || count < 0) {
            // Not a count, so the brace stands for itself.
            last = 1;
            at++;
            return;
        }
        long repetitions = (long) last * Math.max(1, count);
        if (repetitions > MOST_REPETITIONS || repetitions * pattern.length() > MOST_PARTS) {
            throw new PatternSyntaxException("invalid repeat count", "{" + inside + "}");
        }
        last = (int) repetitions;
        inGroup = Math.max(inGroup, last);
        at = end + 1;
    }

    private static int count(String digits) {
        boolean number = !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return !number ? -1 : digits.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }

    private static String excerpt(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }
}
