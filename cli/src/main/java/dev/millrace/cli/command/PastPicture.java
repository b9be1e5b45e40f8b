package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import dev.millrace.cli.view.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A workflow as it stood, and what it went through, as lines for people. */
final class PastPicture {

    private PastPicture() {}

    /** Which moment it is, then summary and tree with all times counted to that moment. */
    static List<String> of(JsonNode workflow, Surroundings surroundings) {
        JsonNode marks = workflow.path("metadata").path("annotations");
        JsonNode time = marks.path("millrace.dev/at-time");
        Instant moment = Times.of(time).orElse(surroundings.clock().instant());
        List<String> lines = new ArrayList<>();
        lines.add(
                "As of:               %s, after transition %s of %s"
                        .formatted(
                                time.asString(""),
                                marks.path("millrace.dev/at-transition").asString(""),
                                marks.path("millrace.dev/transitions").asString("")));
        lines.addAll(LivePicture.picture(workflow, moment, surroundings));
        return lines;
    }

    /** A line for each event; number and time stand where a transition begins. */
    static List<String> history(JsonNode history) {
        List<String> lines = new ArrayList<>();
        for (JsonNode transition : history.path("transitions")) {
            String start =
                    "%4d  %-24s  "
                            .formatted(
                                    transition.path("number").asInt(0),
                                    transition.path("time").asString(""));
            JsonNode events = transition.path("events");
            if (events.isEmpty()) {
                lines.add(start + "(book-keeping only)");
            }
            String lead = start;
            for (JsonNode event : events) {
                lines.add(lead + event.asString(""));
                lead = " ".repeat(start.length());
            }
        }
        return lines;
    }
}
