package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Picks nodes by their fields: {@code displayName=approve,templateName!=x}. Keys: {@code
 * displayName}, {@code templateName}, {@code phase}, {@code name}, {@code id}, {@code
 * templateRef.name}, {@code templateRef.template}, {@code inputs.parameters.<name>.value};
 * operators {@code =}, {@code ==}, {@code !=}; a comma means and.
 */
public final class NodeSelector {
    private record Term(String key, boolean equal, String value) {}

    private final List<Term> terms;

    private NodeSelector(List<Term> terms) {
        this.terms = terms;
    }

    /**
     * Reads a selector; null or blank picks every node.
     *
     * @throws IllegalArgumentException if it is no selector, with the reason
     */
    public static NodeSelector parse(@Nullable String text) {
        List<Term> terms = new ArrayList<>();
        if (text != null && !text.isBlank()) {
            for (String part : text.split(",", -1)) {
                int at = part.indexOf('=');
                if (at <= 0) {
                    throw new IllegalArgumentException(
                            "node field selector '"
                                    + part.strip()
                                    + "' is not of the form key=value or key!=value");
                }
                boolean not = part.charAt(at - 1) == '!';
                String key = part.substring(0, not ? at - 1 : at).strip();
                String value = part.substring(part.startsWith("==", at) ? at + 2 : at + 1).strip();
                if (field(key, null) == null && !key.startsWith("inputs.parameters.")) {
                    throw new IllegalArgumentException(
                            "node field selector: unknown field '" + key + "'");
                }
                terms.add(new Term(key, !not, value));
            }
        }
        return new NodeSelector(List.copyOf(terms));
    }

    /** Whether all terms hold for the node. */
    public boolean matches(Node node) {
        return terms.stream()
                .allMatch(term -> term.equal() == term.value().equals(field(term.key(), node)));
    }

    /** The text of a field; without a node, a mark that the field is known. */
    private static @Nullable String field(String key, @Nullable Node node) {
        return switch (key) {
            case "displayName" -> node == null ? "" : node.displayName();
            case "templateName" ->
                    node == null || node.templateName() == null ? "" : node.templateName();
            case "phase" -> node == null ? "" : node.phase().text();
            case "name" -> node == null ? "" : node.name();
            case "id" -> node == null ? "" : node.id();
            case "templateRef.name" ->
                    node == null || node.templateRef() == null || node.templateRef().name() == null
                            ? ""
                            : node.templateRef().name();
            case "templateRef.template" ->
                    node == null
                                    || node.templateRef() == null
                                    || node.templateRef().template() == null
                            ? ""
                            : node.templateRef().template();
            default -> node == null ? null : input(key, node);
        };
    }

    private static @Nullable String input(String key, Node node) {
        if (node.inputs() == null || !key.startsWith("inputs.parameters.")) {
            return null;
        }
        String rest = key.substring("inputs.parameters.".length());
        String name =
                rest.endsWith(".value")
                        ? rest.substring(0, rest.length() - ".value".length())
                        : rest;
        return node.inputs().parameters().stream()
                .filter(p -> p.name().equals(name) && p.value() != null)
                .map(p -> p.value().text())
                .findFirst()
                .orElse(null);
    }
}
