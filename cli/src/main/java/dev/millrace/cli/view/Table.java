package dev.millrace.cli.view;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Rows in columns that are as wide as their widest cell. */
public final class Table {

    private static final Pattern COLOURS = Pattern.compile("\u001b\\[\\d+m");
    private static final int GAP = 2;

    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... header) {
        rows.add(List.of(header));
    }

    /** Adds a row; as many cells as the header has. */
    public Table row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    public boolean isEmpty() {
        return rows.size() == 1;
    }

    /** The header and the rows, without blanks at their ends. */
    public List<String> lines() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            line.append(row.get(i)).repeat(' ', widths[i] - width(row.get(i)) + GAP);
        }
        return line.toString().stripTrailing();
    }

    /** Characters that are seen. */
    private static int width(String cell) {
        String seen = cell.indexOf('\u001b') < 0 ? cell : COLOURS.matcher(cell).replaceAll("");
        return seen.codePointCount(0, seen.length());
    }
}
