package dev.millrace.expressions.regex;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * Compiles patterns by RE2, whose time grows with the text only, whatever the pattern, and with the
 * bounds on repetition that Go's parser has and RE2/J lacks: {@code ((a{1,100}){1,100}){1,100}}
 * would be a program of a million parts.
 */
public final class GoRegex {

    private GoRegex() {}

    /**
     * @throws PatternSyntaxException if the text is no pattern, or asks for too many repetitions
     */
    public static Pattern compile(String pattern) {
        RepetitionCheck.check(pattern);
        return Pattern.compile(pattern);
    }
}
