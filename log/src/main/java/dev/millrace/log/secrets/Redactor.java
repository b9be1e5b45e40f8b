package dev.millrace.log.secrets;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Replaces secret values by {@code ***}. Logs, errors and messages pass through it. Values are
 * registered when they are stored or read; one that was replaced stays registered, since it may
 * still be on its way.
 */
public final class Redactor {

    public static final String MASK = "***";

    /** Shorter values are no secrets, and masking them would make any text unreadable. */
    static final int SHORTEST = 4;

    private final Set<String> known = new HashSet<>();
    private volatile List<String> longestFirst = List.of();

    /** Masks this value from now on, its lines (a key in PEM) and its base64 form. */
    public void register(String value) {
        Set<String> forms = new HashSet<>();
        String text = value.strip();
        add(forms, text);
        if (text.indexOf('\n') >= 0) {
            text.lines().forEach(line -> add(forms, line.strip()));
        }
        add(forms, base64(value));
        add(forms, base64(text));
        synchronized (known) {
            if (known.addAll(forms)) {
                longestFirst =
                        known.stream()
                                .sorted(
                                        Comparator.comparingInt(String::length)
                                                .reversed()
                                                .thenComparing(Comparator.naturalOrder()))
                                .toList();
            }
        }
    }

    /** The text without secret values. */
    public String redact(String text) {
        String masked = text;
        // The longest first: a secret inside another one must not leave the rest of it.
        for (String secret : longestFirst) {
            if (masked.contains(secret)) {
                masked = masked.replace(secret, MASK);
            }
        }
        return masked;
    }

    private static void add(Set<String> forms, String form) {
        if (form.length() >= SHORTEST && !form.startsWith("-----")) {
            forms.add(form);
        }
    }

    private static String base64(String text) {
        return text.length() < SHORTEST
                ? ""
                : Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
