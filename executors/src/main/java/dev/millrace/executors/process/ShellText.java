package dev.millrace.executors.process;

import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words of POSIX shell. */
final class ShellText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellText() {}

    /** The word that the shell reads as exactly this text. */
    static String quote(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    static String quote(Collection<String> words) {
        return words.stream().map(ShellText::quote).collect(Collectors.joining(" "));
    }
}
