package dev.millrace.cli.testing;

import dev.millrace.schemas.record.Node;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a test file may call a node. */
final class NodeCalls {

    private static final Pattern ATTEMPT = Pattern.compile("\\(\\d+\\)$");

    private final String workflow;

    NodeCalls(String workflow) {
        this.workflow = workflow;
    }

    /** Whether a pattern fits one of the node's names. */
    boolean fit(String pattern, Node node) {
        return names(node).stream().anyMatch(name -> glob(pattern, name));
    }

    /** The name of the node that all attempts of a retry share. */
    String withoutAttempt(Node node) {
        return ATTEMPT.matcher(node.name()).replaceFirst("");
    }

    private List<String> names(Node node) {
        String below = node.name().substring(Math.min(workflow.length(), node.name().length()));
        return Stream.of(
                        node.name(),
                        below.startsWith(".") ? below.substring(1) : below,
                        node.displayName(),
                        ATTEMPT.matcher(node.displayName()).replaceFirst(""),
                        node.templateName() == null ? "" : node.templateName())
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Whether the whole text fits; {@code *} and {@code ?} stand for any characters. */
    static boolean glob(String pattern, String text) {
        StringBuilder regex = new StringBuilder();
        for (char c : pattern.toCharArray()) {
            switch (c) {
                case '*' -> regex.append(".*");
                case '?' -> regex.append('.');
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(text).matches();
    }
}
