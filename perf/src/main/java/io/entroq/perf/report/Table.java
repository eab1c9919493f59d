package io.entroq.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of figures as Markdown, with columns that line up: names left, numbers right. */
public final class Table {
  private final List<String[]> rows = new ArrayList<>();
  private final int columns;

  /** Begins a table. */
  public Table(String... headings) {
    columns = headings.length;
    rows.add(headings.clone());
  }

  /**
   * Adds a row.
   *
   * @param cells as many as there are headings; {@link Double}s are given one decimal, and whole
   *     numbers separators
   */
  public Table row(Object... cells) {
    if (cells.length != columns) {
      throw new IllegalArgumentException(
          "a row needs " + columns + " cells, given " + cells.length);
    }
    String[] texts = new String[columns];
    for (int i = 0; i < columns; i++) {
      texts[i] = text(cells[i]);
    }
    rows.add(texts);
    return this;
  }

  private static String text(Object cell) {
    if (cell instanceof Double number) {
      return String.format(Locale.ROOT, "%,.1f", number);
    }
    return cell instanceof Long || cell instanceof Integer
        ? String.format(Locale.ROOT, "%,d", ((Number) cell).longValue())
        : cell.toString();
  }

  /** Prints it. */
  public void print() {
    System.out.println();
    System.out.print(markdown());
    System.out.println();
  }

  /** Its lines, each of which is ended. */
  public String markdown() {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      append(out, rows.get(i));
      if (i == 0) {
        appendRule(out);
      }
    }
    return out.toString();
  }

  private void append(StringBuilder out, String[] row) {
    out.append('|');
    for (int i = 0; i < columns; i++) {
      String padding = " ".repeat(width(i) - row[i].length());
      out.append(' ').append(i == 0 ? row[i] + padding : padding + row[i]).append(" |");
    }
    out.append('\n');
  }

  private void appendRule(StringBuilder out) {
    out.append('|');
    for (int i = 0; i < columns; i++) {
      out.append("-".repeat(width(i) + 1)).append(i == 0 ? "-|" : ":|");
    }
    out.append('\n');
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
  }
}
