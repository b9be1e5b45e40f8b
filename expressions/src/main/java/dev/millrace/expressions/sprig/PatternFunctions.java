package dev.millrace.expressions.sprig;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.millrace.expressions.expr.value.GoList;
import dev.millrace.expressions.expr.value.GoOperators;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.regex.GoRegex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Regular expressions, which are RE2: their time grows with the text only, whatever the pattern.
 */
final class PatternFunctions {

    private static final String SPECIAL = "\\.+*?()|[]{}^$";

    private PatternFunctions() {}

    static void addTo(Map<String, SprigFunction> table) {
        table.put(
                "regexMatch",
                a -> {
                    try {
                        return GoRegex.compile(a.text(0)).matcher(a.text(1)).find();
                    } catch (PatternSyntaxException e) {
                        // Sprig: a bad pattern matches nothing; mustRegexMatch says what is wrong.
                        return false;
                    }
                });
        table.put("mustRegexMatch", a -> pattern(a).matcher(a.text(1)).find());
        both(
                table,
                "Find",
                a -> {
                    Matcher matcher = pattern(a).matcher(a.text(1));
                    return matcher.find() ? matcher.group() : "";
                });
        both(
                table,
                "FindAll",
                a -> {
                    Matcher matcher = pattern(a).matcher(a.text(1));
                    List<String> found = new ArrayList<>();
                    int limit = a.integer(2);
                    while ((limit < 0 || found.size() < limit) && matcher.find()) {
                        found.add(matcher.group());
                    }
                    return found.isEmpty() ? GoList.nil("[]string") : GoList.ofStrings(found);
                });
        both(table, "ReplaceAll", a -> replaced(a, false));
        both(table, "ReplaceAllLiteral", a -> replaced(a, true));
        both(table, "Split", a -> GoList.ofStrings(split(pattern(a), a.text(1), a.integer(2))));
        table.put("regexQuoteMeta", a -> quoted(a.text(0)));
    }

    private static void both(Map<String, SprigFunction> table, String name, SprigFunction body) {
        table.put("regex" + name, body);
        table.put("mustRegex" + name, body);
    }

    private static Pattern pattern(Arguments a) {
        try {
            return GoRegex.compile(a.text(0));
        } catch (PatternSyntaxException e) {
            throw new GoPanic("regexp: Compile(`" + a.text(0) + "`): " + e.getMessage());
        }
    }

    private static String replaced(Arguments a, boolean literal) {
        String text = a.text(1);
        String replacement = a.text(2);
        Matcher matcher = pattern(a).matcher(text);
        StringBuilder out = new StringBuilder();
        int from = 0;
        while (matcher.find()) {
            out.append(text, from, matcher.start());
            out.append(literal ? replacement : expand(replacement, matcher));
            from = matcher.end();
            if (out.length() > GoOperators.MAX_TEXT) {
                throw new GoPanic("memory budget exceeded");
            }
        }
        return out.append(text, from, text.length()).toString();
    }

    /**
     * {@code $1}, {@code ${1}} and {@code ${name}} stand for groups; a name is as long as it can
     * be; {@code $$} is a dollar.
     */
    private static String expand(String template, Matcher matcher) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < template.length()) {
            char c = template.charAt(at);
            if (c != '$' || at + 1 >= template.length()) {
                out.append(c);
                at++;
                continue;
            }
            if (template.charAt(at + 1) == '$') {
                out.append('$');
                at += 2;
                continue;
            }
            boolean braces = template.charAt(at + 1) == '{';
            int start = at + (braces ? 2 : 1);
            int end = start;
            while (end < template.length()
                    && (Character.isLetterOrDigit(template.charAt(end))
                            || template.charAt(end) == '_')) {
                end++;
            }
            if (end == start
                    || (braces && (end >= template.length() || template.charAt(end) != '}'))) {
                out.append(c);
                at++;
                continue;
            }
            out.append(group(matcher, template.substring(start, end)));
            at = braces ? end + 1 : end;
        }
        return out.toString();
    }

    private static String group(Matcher matcher, String name) {
        if (name.chars().allMatch(Character::isDigit)) {
            int number = name.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(name);
            String group = number <= matcher.groupCount() ? matcher.group(number) : null;
            return group == null ? "" : group;
        }
        if (!matcher.pattern().namedGroups().containsKey(name)) {
            return "";
        }
        String group = matcher.group(name);
        return group == null ? "" : group;
    }

    private static List<String> split(Pattern pattern, String text, int limit) {
        List<String> parts = new ArrayList<>();
        if (limit == 0) {
            return parts;
        }
        if (text.isEmpty() && !pattern.pattern().isEmpty()) {
            parts.add("");
            return parts;
        }
        Matcher matcher = pattern.matcher(text);
        int from = 0;
        int lastEnd = 0;
        while (matcher.find()) {
            if (limit > 0 && parts.size() == limit - 1) {
                break;
            }
            lastEnd = matcher.start();
            if (matcher.end() != 0) {
                parts.add(text.substring(from, lastEnd));
            }
            from = matcher.end();
        }
        if (lastEnd != text.length()) {
            parts.add(text.substring(from));
        }
        return parts;
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints()
                .forEach(
                        c -> {
                            if (SPECIAL.indexOf(c) >= 0) {
                                out.append('\\');
                            }
                            out.appendCodePoint(c);
                        });
        return out.toString();
    }
}
