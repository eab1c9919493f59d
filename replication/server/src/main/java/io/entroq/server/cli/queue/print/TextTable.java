package io.entroq.server.cli.queue.print;

import java.util.ArrayList;
import java.util.List;

/**
 * A text table whose columns fit their cells, two spaces apart. Picocli's table needs fixed column
 * widths. Not thread-safe.
 */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... headings) {
    rows.add(List.of(headings));
  }

  /** Adds a row with one cell per column. */
  public TextTable row(Object... cells) {
    List<String> row = new ArrayList<>(cells.length);
    for (Object cell : cells) {
      row.add(cell.toString());
    }
    rows.add(row);
    return this;
  }

  /** The lines, without trailing spaces. */
  public List<String> lines() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
    }
    return line.toString().stripTrailing();
  }
}
