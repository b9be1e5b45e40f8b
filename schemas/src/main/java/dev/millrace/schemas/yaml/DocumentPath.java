package dev.millrace.schemas.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;

/**
 * The way from the root of a document to one of its members, such as {@code
 * spec.templates[0].container.image}.
 */
public record DocumentPath(List<Segment> segments) {

    private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$-]*");

    /** A quoted key may hold anything; it ends at the first quote that a bracket follows. */
    private static final Pattern SEGMENT =
            Pattern.compile(
                    "\\[(?<index>[0-9]{1,9})]|\\[\"(?<quoted>.*?)\"](?=[.\\[]|$)|\\.?(?<plain>"
                            + PLAIN_KEY
                            + ")",
                    Pattern.DOTALL);

    public static final DocumentPath ROOT = new DocumentPath(List.of());

    /** One step down. */
    public sealed interface Segment {}

    /** Into the member of an object. */
    public record Key(String name) implements Segment {}

    /** Into an item of a list, counted from 0. */
    public record Index(int position) implements Segment {}

    public DocumentPath {
        segments = List.copyOf(segments);
    }

    /** The path of the member {@code key} of what this path leads to. */
    public DocumentPath key(String key) {
        return child(new Key(key));
    }

    /** The path of the item {@code position} (from 0) of what this path leads to. */
    public DocumentPath index(int position) {
        return child(new Index(position));
    }

    /** The path one step shorter; the root is its own parent. */
    public DocumentPath parent() {
        return segments.isEmpty()
                ? this
                : new DocumentPath(segments.subList(0, segments.size() - 1));
    }

    public boolean isRoot() {
        return segments.isEmpty();
    }

    /** Reads an RFC 6901 pointer. A numeric token counts as a list index. */
    public static DocumentPath of(JsonPointer pointer) {
        List<Segment> segments = new ArrayList<>();
        for (JsonPointer p = pointer; p != null && !p.matches(); p = p.tail()) {
            segments.add(
                    p.mayMatchElement()
                            ? new Index(p.getMatchingIndex())
                            : new Key(p.getMatchingProperty()));
        }
        return new DocumentPath(segments);
    }

    /** As an RFC 6901 pointer; the root is the empty text. */
    public String pointer() {
        StringBuilder text = new StringBuilder();
        for (Segment segment : segments) {
            text.append('/');
            switch (segment) {
                case Key(String name) -> text.append(name.replace("~", "~0").replace("/", "~1"));
                case Index(int position) -> text.append(position);
            }
        }
        return text.toString();
    }

    /**
     * As people write it: {@code spec.templates[0].name}, keys that hold dots or slashes in quotes.
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Segment segment : segments) {
            switch (segment) {
                case Key(String name) when PLAIN_KEY.matcher(name).matches() -> {
                    if (!text.isEmpty()) {
                        text.append('.');
                    }
                    text.append(name);
                }
                case Key(String name) -> text.append("[\"").append(name).append("\"]");
                case Index(int position) -> text.append('[').append(position).append(']');
            }
        }
        return text.toString();
    }

    /** Reads the form of {@link #toString()}; empty if the text is not in it. */
    public static Optional<DocumentPath> parse(String text) {
        DocumentPath path = ROOT;
        Matcher segment = SEGMENT.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!segment.find(at) || segment.start() != at) {
                return Optional.empty();
            }
            if (segment.group("index") != null) {
                path = path.index(Integer.parseInt(segment.group("index")));
            } else if (segment.group("quoted") != null) {
                path = path.key(segment.group("quoted"));
            } else {
                // A dot stands between keys, not before the first.
                if (path.isRoot() == text.startsWith(".", at)) {
                    return Optional.empty();
                }
                path = path.key(segment.group("plain"));
            }
            at = segment.end();
        }
        return Optional.of(path);
    }

    /** The path of what the segment leads to. */
    public DocumentPath child(Segment segment) {
        List<Segment> longer = new ArrayList<>(segments);
        longer.add(segment);
        return new DocumentPath(longer);
    }
}
