package dev.millrace.schemas.yaml;

import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads YAML or JSON text. Wrong text is a {@link Fault} in the result, never an exception. */
public final class YamlReader {

    private YamlReader() {}

    /**
     * Reads all documents of a text; empty ones are left out.
     *
     * @param source the name that places carry
     */
    public static Documents read(String source, String text) {
        return read(source, text, YamlLimits.DEFAULT);
    }

    /** {@link #read(String, String)} with limits of one's own. */
    public static Documents read(String source, String text, YamlLimits limits) {
        List<Document> documents = new ArrayList<>();
        List<Fault> faults = new ArrayList<>();
        Place start = new Place(source, 1, 1);
        if (text.length() > limits.characters()) {
            faults.add(
                    new Fault(
                            start,
                            DocumentPath.ROOT,
                            "the text has "
                                    + text.length()
                                    + " characters, more than the limit of "
                                    + limits.characters(),
                            "split it into several files"));
            return new Documents(documents, faults);
        }
        TreeBuilder builder = new TreeBuilder(source, limits);
        try {
            BoundedComposer composer =
                    new BoundedComposer(source, withoutByteOrderMark(text), limits);
            while (composer.hasNext()) {
                build(builder, composer.next(), documents, faults);
            }
        } catch (FaultException e) {
            faults.add(e.fault());
        } catch (MarkedYamlEngineException e) {
            faults.add(syntax(e, start));
        } catch (ReaderException e) {
            faults.add(
                    new Fault(
                            placeOf(source, text, e.getPosition()),
                            DocumentPath.ROOT,
                            String.format(
                                    "the character U+%04X is not allowed in YAML",
                                    e.getCodePoint()),
                            "write it as an escape in a double-quoted text"));
        } catch (YamlEngineException e) {
            faults.add(new Fault(start, DocumentPath.ROOT, String.valueOf(e.getMessage()), ""));
        }
        return new Documents(documents, faults);
    }

    private static void build(
            TreeBuilder builder, Node root, List<Document> documents, List<Fault> faults) {
        try {
            Document document = builder.build(root);
            if (!document.tree().isNull()) {
                documents.add(document);
            }
        } catch (FaultException e) {
            // The text itself is well formed, so the next document can still be read.
            faults.add(e.fault());
        }
    }

    private static Fault syntax(MarkedYamlEngineException e, Place start) {
        Mark mark = e.getProblemMark().or(e::getContextMark).orElse(null);
        Place place =
                mark == null
                        ? start
                        : new Place(start.source(), mark.getLine() + 1, mark.getColumn() + 1);
        String context = e.getContext() == null ? "" : e.getContext() + ": ";
        String message = "not valid YAML: " + context + e.getProblem();
        return new Fault(place, DocumentPath.ROOT, message, hint(message));
    }

    private static String hint(String message) {
        if (message.contains("'\\t'") || message.contains("\\t(TAB)")) {
            return "indent with spaces; YAML allows no tabs there";
        }
        if (message.contains("mapping values are not allowed")) {
            return "quote a text that holds ': ', or check the indentation";
        }
        return "";
    }

    private static Place placeOf(String source, String text, int position) {
        String before = text.substring(0, Math.max(0, Math.min(position, text.length())));
        int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
        return new Place(source, line, before.length() - before.lastIndexOf('\n'));
    }

    private static String withoutByteOrderMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
