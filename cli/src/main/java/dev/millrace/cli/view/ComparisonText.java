package dev.millrace.cli.view;

import dev.millrace.schemas.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A comparison of workflows, for people. */
public final class ComparisonText {

    private static final int WIDEST = 160;

    /** Times of objects are whole seconds, so a second more or less says nothing. */
    private static final long NOTEWORTHY_SECONDS = 2;

    private final List<String> lines = new ArrayList<>();

    private ComparisonText() {}

    /**
     * The lines; a single one if the two are the same.
     *
     * @param comparison of {@link WorkflowComparison#of}
     * @param left what to call the one
     * @param right what to call the other
     */
    public static List<String> render(JsonNode comparison, String left, String right) {
        ComparisonText text = new ComparisonText();
        text.section("workflow", comparison.path("workflow"));
        text.section("parameters", comparison.path("parameters"));
        text.only("only in " + left, "left", comparison.path("nodes"));
        text.only("only in " + right, "right", comparison.path("nodes"));
        for (JsonNode node : comparison.path("nodes")) {
            text.section(node.path("name").asString(""), node.path("changed"));
        }
        String spec = comparison.path("spec").asString("");
        if (!spec.isEmpty()) {
            text.lines.add("spec");
            // The two names stand above all already.
            spec.lines().skip(2).forEach(line -> text.lines.add("  " + line));
        }
        if (comparison.path("same").asBoolean(false)) {
            text.lines.addFirst("%s and %s are the same".formatted(left, right));
        } else {
            text.lines.addAll(0, List.of("--- " + left, "+++ " + right));
        }
        return text.lines;
    }

    private void only(String title, String side, JsonNode nodes) {
        List<String> names = new ArrayList<>();
        for (JsonNode node : nodes) {
            if (node.path("only").asString("").equals(side)) {
                names.add(
                        "  %s (%s)"
                                .formatted(
                                        node.path("name").asString(""),
                                        node.path("phase").asString("")));
            }
        }
        if (!names.isEmpty()) {
            lines.add(title);
            lines.addAll(names);
        }
    }

    private void section(String title, JsonNode differences) {
        List<String> told = new ArrayList<>();
        for (Map.Entry<String, JsonNode> difference : differences.properties()) {
            JsonNode left = difference.getValue().path("left");
            JsonNode right = difference.getValue().path("right");
            if (!difference.getKey().equals("duration") || isNoteworthy(left, right)) {
                told.add("  %s: %s → %s".formatted(difference.getKey(), value(left), value(right)));
            }
        }
        if (!told.isEmpty()) {
            lines.add(title);
            lines.addAll(told);
        }
    }

    private static boolean isNoteworthy(JsonNode left, JsonNode right) {
        return left.isNull()
                || right.isNull()
                || Math.abs(seconds(left) - seconds(right)) >= NOTEWORTHY_SECONDS;
    }

    private static long seconds(JsonNode duration) {
        String text = duration.asString("0s");
        return Long.parseLong(text.substring(0, text.length() - 1));
    }

    /** In one line; what would read as nothing, or as two values, in quotes. */
    private static String value(JsonNode value) {
        if (value.isNull()) {
            return "(none)";
        }
        String text = value.asString("");
        String shown =
                text.isBlank() || text.contains("\n") || !text.equals(text.strip())
                        ? Json.tree(text).toString()
                        : text;
        return shown.length() <= WIDEST
                ? shown
                : "%s… (%d characters)".formatted(shown.substring(0, WIDEST), text.length());
    }
}
