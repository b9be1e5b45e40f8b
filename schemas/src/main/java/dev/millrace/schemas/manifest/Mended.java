package dev.millrace.schemas.manifest;

import dev.millrace.schemas.yaml.DocumentPath;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A tree of sound structure in place of one with faults.
 *
 * @param written where fields that got another name stand in the text
 * @param faults the places that are not as they were written
 */
record Mended(JsonNode tree, Map<DocumentPath, DocumentPath> written, Set<DocumentPath> faults) {

    /**
     * Whether a problem only follows from a fault that is told already: it is about what was put
     * in, or about an object that lacks something.
     */
    boolean explains(DocumentPath path) {
        for (DocumentPath p = path; !p.isRoot(); p = p.parent()) {
            if (faults.contains(p) && !written.containsKey(p)) {
                return true;
            }
        }
        return faults.stream()
                .anyMatch(fault -> !written.containsKey(fault) && fault.parent().equals(path));
    }

    /** The path as it is written. */
    DocumentPath written(DocumentPath path) {
        if (path.isRoot()) {
            return path;
        }
        DocumentPath whole = written.get(path);
        if (whole != null) {
            return written(whole.parent()).child(whole.segments().getLast());
        }
        return written(path.parent()).child(path.segments().getLast());
    }
}
