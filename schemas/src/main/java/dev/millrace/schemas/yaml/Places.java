package dev.millrace.schemas.yaml;

import java.util.Map;
import tools.jackson.core.JsonPointer;

/**
 * Where the members of one document stand in its text. A member of an object has the place of its
 * key, an item of a list the place where it starts.
 */
public final class Places {

    private final Place start;
    private final Map<String, Place> byPointer;
    private final String prefix;

    Places(Place start, Map<String, Place> byPointer) {
        this(start, Map.copyOf(byPointer), "");
    }

    private Places(Place start, Map<String, Place> byPointer, String prefix) {
        this.start = start;
        this.byPointer = byPointer;
        this.prefix = prefix;
    }

    /**
     * Places of a document that has no text of its own, such as one that came as JSON: none is
     * {@linkplain Place#isKnown() known}.
     */
    public static Places nowhere(String source) {
        return new Places(new Place(source, 0, 0), Map.of());
    }

    /** The places within the member at {@code path}, as if it were a document of its own. */
    public Places below(DocumentPath path) {
        return new Places(of(path), byPointer, prefix + path.pointer());
    }

    /** Where the document starts. */
    public Place start() {
        return start;
    }

    /**
     * The place of a member, or, when the document has no such member, of its nearest ancestor that
     * exists.
     */
    public Place of(DocumentPath path) {
        for (DocumentPath p = path; !p.isRoot(); p = p.parent()) {
            Place place = byPointer.get(prefix + p.pointer());
            if (place != null) {
                return place;
            }
        }
        return start;
    }

    /** {@link #of(DocumentPath)} for an RFC 6901 pointer. */
    public Place of(JsonPointer pointer) {
        return of(DocumentPath.of(pointer));
    }
}
