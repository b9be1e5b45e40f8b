package dev.millrace.expressions.tag;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the tags of a text in one pass. */
final class TagParser {

    private static final String OPEN = "{{";
    private static final String CLOSE = "}}";

    /** Tags within tags; beyond that braces are taken for text. */
    private static final int MAX_DEPTH = 100;

    private final String text;
    private final Deque<Frame> frames = new ArrayDeque<>();

    /** A tag that is open, or the whole text. */
    private record Frame(int open, List<Part> parts) {}

    TagParser(String text) {
        this.text = text;
    }

    /** The parts of the text; null if a tag has no end. */
    @Nullable List<Part> parse() {
        frames.addLast(new Frame(-1, new ArrayList<>()));
        int lastClose = text.lastIndexOf(CLOSE);
        int at = 0;
        int open = text.indexOf(OPEN);
        int close = text.indexOf(CLOSE);
        while (open >= 0 || (close >= 0 && frames.size() > 1)) {
            if (open >= 0 && (open < close || close < 0)) {
                if (lastClose < open + OPEN.length()) {
                    return null;
                }
                literal(at, open);
                at = open + OPEN.length();
                if (text.startsWith("=", at)) {
                    int end = text.indexOf(CLOSE, at);
                    add(new Part.Expression(text.substring(at + 1, end)));
                    at = end + CLOSE.length();
                } else if (frames.size() > MAX_DEPTH) {
                    literal(open, at);
                } else {
                    frames.addLast(new Frame(open, new ArrayList<>()));
                }
            } else {
                at = close(at, close);
            }
            open = next(OPEN, open, at);
            close = next(CLOSE, close, at);
        }
        literal(at, text.length());
        return flatten();
    }

    /**
     * The next braces from {@code at} on; those known already are not looked for again, which keeps
     * the pass linear.
     */
    private int next(String braces, int known, int at) {
        return known < 0 || known >= at ? known : text.indexOf(braces, at);
    }

    /** Ends the innermost open tag, or takes a stray end as text; returns where to go on. */
    private int close(int at, int close) {
        int end = close + CLOSE.length();
        if (frames.size() == 1) {
            literal(at, end);
            return end;
        }
        Frame frame = frames.getLast();
        if (frame.parts().isEmpty()) {
            frames.removeLast();
            add(new Part.Name(text.substring(frame.open() + OPEN.length(), close)));
        } else {
            literal(at, close);
            frames.removeLast();
            add(new Part.Nested(List.copyOf(frame.parts())));
        }
        return end;
    }

    /** The braces of a tag that only had the end of an inner tag are text. */
    private List<Part> flatten() {
        List<Part> parts = new ArrayList<>();
        for (Frame frame : frames) {
            if (frame.open() >= 0) {
                parts.add(new Part.Literal(OPEN));
            }
            parts.addAll(frame.parts());
        }
        return List.copyOf(parts);
    }

    private void literal(int from, int to) {
        if (from < to) {
            add(new Part.Literal(text.substring(from, to)));
        }
    }

    private void add(Part part) {
        frames.getLast().parts().add(part);
    }
}
