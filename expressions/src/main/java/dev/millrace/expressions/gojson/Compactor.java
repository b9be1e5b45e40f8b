package dev.millrace.expressions.gojson;

/** Writes what it is told without spaces, HTML-escaped. */
final class Compactor implements JsonEvents {

    private final StringBuilder out;
    private boolean comma;

    Compactor(StringBuilder out) {
        this.out = out;
    }

    @Override
    public void beginObject() {
        separate().append('{');
        comma = false;
    }

    @Override
    public void key(String raw) {
        JsonText.escapeHtml(raw, separate());
        out.append(':');
        comma = false;
    }

    @Override
    public void endObject() {
        out.append('}');
        comma = true;
    }

    @Override
    public void beginArray() {
        separate().append('[');
        comma = false;
    }

    @Override
    public void endArray() {
        out.append(']');
        comma = true;
    }

    @Override
    public void scalar(String raw) {
        JsonText.escapeHtml(raw, separate());
        comma = true;
    }

    private StringBuilder separate() {
        return comma ? out.append(',') : out;
    }
}
