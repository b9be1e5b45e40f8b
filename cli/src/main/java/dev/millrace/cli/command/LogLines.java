package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import dev.millrace.cli.view.Style;
import dev.millrace.cli.view.Style.Colour;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Prints lines of logs behind the name of the pod, which has the same colour each time. */
final class LogLines {

    private static final List<Colour> COLOURS =
            List.of(
                    Colour.RED,
                    Colour.GREEN,
                    Colour.YELLOW,
                    Colour.BLUE,
                    Colour.MAGENTA,
                    Colour.CYAN);

    private final Surroundings surroundings;
    private final Style style;

    LogLines(Surroundings surroundings, Style style) {
        this.surroundings = surroundings;
        this.style = style;
    }

    /** {@code pod: content}; the content is the program's own, colours of it included. */
    void print(JsonNode line) {
        String pod = line.path("podName").asString("");
        Colour colour = COLOURS.get(Math.floorMod(pod.hashCode(), COLOURS.size()));
        surroundings
                .out()
                .println(style.paint(colour, pod + ":") + " " + line.path("content").asString(""));
        surroundings.out().flush();
    }
}
