package dev.millrace.executors;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code $(NAME)} in a container's command, arguments and environment values, as Kubernetes expands
 * it: an unknown name stays as it is, {@code $$} is a plain dollar sign.
 */
public final class VariableReferences {
    private static final Pattern REFERENCE =
            Pattern.compile("\\$\\$|\\$\\(([-._a-zA-Z][-._a-zA-Z0-9]*)\\)");

    private VariableReferences() {}

    /** The text with what is known put in. */
    public static String expand(String text, Map<String, String> variables) {
        return REFERENCE
                .matcher(text)
                .replaceAll(
                        m -> {
                            String name = m.group(1);
                            String value =
                                    name == null ? "$" : variables.getOrDefault(name, m.group());
                            return Matcher.quoteReplacement(value);
                        });
    }
}
