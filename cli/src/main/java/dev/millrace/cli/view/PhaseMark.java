package dev.millrace.cli.view;

import dev.millrace.cli.view.Style.Colour;

/** The sign before a node's name, by its phase. */
final class PhaseMark {

    private PhaseMark() {}

    /**
     * @param phase of a node or workflow; the empty one counts as Pending
     * @param suspended a node that runs by waiting for somebody to resume it
     */
    static String of(String phase, boolean suspended, Style style) {
        return switch (phase) {
            case "Running" -> style.paint(Colour.CYAN, suspended ? "ǁ" : "●");
            case "Succeeded" -> style.paint(Colour.GREEN, "✔");
            case "Skipped", "Omitted" -> "○";
            case "Failed" -> style.paint(Colour.RED, "✖");
            case "Error" -> style.paint(Colour.RED, "⚠");
            default -> style.paint(Colour.YELLOW, "◷");
        };
    }

    /** The phase's word in its colour. */
    static String word(String phase, Style style) {
        return switch (phase) {
            case "" -> "Pending";
            case "Running" -> style.paint(Colour.CYAN, phase);
            case "Succeeded" -> style.paint(Colour.GREEN, phase);
            case "Failed", "Error" -> style.paint(Colour.RED, phase);
            default -> phase;
        };
    }
}
