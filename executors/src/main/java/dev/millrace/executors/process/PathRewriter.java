package dev.millrace.executors.process;

import java.util.Collection;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Puts a folder before the absolute paths that a step declares, wherever its texts mention them.
 * Used where a step has no file view of its own. A path that a program puts together itself is not
 * found.
 */
final class PathRewriter {
    private final Pattern pattern;
    private final String folder;

    /**
     * @param paths the absolute paths to rewrite; {@code /} is left alone
     * @param folder what comes before them
     */
    PathRewriter(Collection<String> paths, String folder) {
        this.folder = folder;
        String alternatives =
                paths.stream()
                        .filter(p -> p.length() > 1)
                        .distinct()
                        // The longer first: /tmp/a.txt is not /tmp/a followed by something.
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .map(Pattern::quote)
                        .collect(Collectors.joining("|"));
        this.pattern = alternatives.isEmpty() ? Pattern.compile("(?!)") : boundaries(alternatives);
    }

    private static Pattern boundaries(String alternatives) {
        // Not in the middle of a longer path or name: ${HOME}/tmp/a, ./tmp/a, /tmp/ab, /tmp/a.txt;
        // a full stop after it is fine.
        return Pattern.compile("(?<![\\w.}/*-])(?:" + alternatives + ")(?![\\w-]|\\.\\w)");
    }

    String rewrite(String text) {
        return pattern.matcher(text).replaceAll(m -> Matcher.quoteReplacement(folder + m.group()));
    }
}
