package dev.millrace.expressions.expr;

/** A place in a source text; the offset counts code points from 0. */
record Position(String source, int offset) {

    String lineAndColumn() {
        int line = 1;
        int column = 1;
        int seen = 0;
        for (int i = 0; i < source.length() && seen < offset; seen++) {
            int c = source.codePointAt(i);
            if (c == '\n') {
                line++;
                column = 1;
            } else {
                column++;
            }
            i += Character.charCount(c);
        }
        return "(" + line + ":" + column + ")";
    }

    String snippet() {
        int[] points = source.codePoints().toArray();
        int at = Math.min(offset, points.length);
        int start = at;
        while (start > 0 && points[start - 1] != '\n') {
            start--;
        }
        int end = at;
        while (end < points.length && points[end] != '\n') {
            end++;
        }
        String line = new String(points, start, end - start).replace('\t', ' ');
        return " | " + line + "\n | " + ".".repeat(at - start) + "^";
    }
}
