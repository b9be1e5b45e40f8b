package dev.millrace.expressions.gojson;

/** What a {@link JsonScanner} finds, in the order of the text. */
interface JsonEvents {

    void beginObject();

    /** A member's name, raw with its quotes. */
    void key(String raw);

    void endObject();

    void beginArray();

    void endArray();

    /** A string (with its quotes), number, {@code true}, {@code false} or {@code null}, raw. */
    void scalar(String raw);
}
