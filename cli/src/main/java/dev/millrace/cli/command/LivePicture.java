package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import dev.millrace.cli.Surroundings.TerminalSize;
import dev.millrace.cli.view.ProgressLines;
import dev.millrace.cli.view.WorkflowSummary;
import dev.millrace.cli.view.WorkflowTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A workflow as it goes on: on a terminal one picture that is drawn anew in its place, elsewhere a
 * line a change.
 */
final class LivePicture {

    private static final Pattern COLOUR = Pattern.compile("\u001b\\[\\d+m");

    private final Surroundings surroundings;
    private final Optional<TerminalSize> terminal;
    private final ProgressLines progress;
    private int drawn;

    LivePicture(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.terminal = surroundings.terminal();
        this.progress = new ProgressLines(surroundings.style());
    }

    /** Shows how the workflow stands. */
    void show(JsonNode workflow) {
        if (terminal.isEmpty()) {
            progress.next(workflow).forEach(surroundings.out()::println);
            surroundings.out().flush();
            return;
        }
        List<String> lines = picture(workflow);
        TerminalSize size = terminal.get();
        // One line more than the terminal has would scroll, and the picture could not be drawn
        // over.
        int room = Math.max(1, size.rows() - 1);
        if (lines.size() > room) {
            int left = lines.size() - room + 1;
            lines = new ArrayList<>(lines.subList(0, room - 1));
            lines.add("… and %d more lines".formatted(left));
        }
        draw(lines.stream().map(line -> cut(line, size.columns())).toList());
    }

    /** Shows how it ended, whole. */
    void end(JsonNode workflow) {
        if (terminal.isPresent()) {
            draw(picture(workflow));
        } else {
            progress.next(workflow).forEach(surroundings.out()::println);
            surroundings.out().println();
            picture(workflow).forEach(surroundings.out()::println);
        }
        surroundings.out().flush();
    }

    private List<String> picture(JsonNode workflow) {
        return picture(workflow, surroundings);
    }

    /** Summary and tree, as of now. */
    static List<String> picture(JsonNode workflow, Surroundings surroundings) {
        return picture(workflow, surroundings.clock().instant(), surroundings);
    }

    /**
     * Summary and tree.
     *
     * @param now what ages, and the durations of what has not finished, are counted to
     */
    static List<String> picture(JsonNode workflow, Instant now, Surroundings surroundings) {
        List<String> lines =
                new ArrayList<>(
                        WorkflowSummary.render(
                                workflow, now, surroundings.zone(), surroundings.style()));
        List<String> tree = WorkflowTree.render(workflow, now, surroundings.style());
        if (!tree.isEmpty()) {
            lines.add("");
            lines.addAll(tree);
        }
        return lines;
    }

    private void draw(List<String> lines) {
        StringBuilder text = new StringBuilder();
        if (drawn > 0) {
            text.append("\u001b[").append(drawn).append("A\r\u001b[J");
        }
        lines.forEach(line -> text.append(line).append('\n'));
        drawn = lines.size();
        surroundings.out().print(text);
        surroundings.out().flush();
    }

    /** The line within the width; colours take no room. */
    static String cut(String line, int width) {
        Matcher colour = COLOUR.matcher(line);
        StringBuilder kept = new StringBuilder();
        int room = width;
        int at = 0;
        boolean coloured = false;
        while (at < line.length()) {
            if (line.charAt(at) == '\u001b' && colour.find(at) && colour.start() == at) {
                kept.append(line, at, colour.end());
                coloured = !colour.group().equals("\u001b[0m");
                at = colour.end();
            } else if (room == 0) {
                return kept.append(coloured ? "\u001b[0m" : "").toString();
            } else {
                int point = line.codePointAt(at);
                kept.appendCodePoint(point);
                room--;
                at += Character.charCount(point);
            }
        }
        return kept.toString();
    }
}
