package io.entroq.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A Markdown table of figures with aligned columns: names to the left, numbers to the right. */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();
  private final int columns;

  public Table(String... headings) {
    columns = headings.length;
    rows.add(List.of(headings));
  }

  /**
   * Adds a row with as many cells as there are headings. A {@link Spread} fills three: least,
   * median and greatest. Of a {@link Double} three to four digits are printed.
   */
  public Table row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      if (cell instanceof Spread spread) {
        row.addAll(List.of(text(spread.least()), text(spread.median()), text(spread.greatest())));
      } else {
        row.add(text(cell));
      }
    }
    if (row.size() != columns) {
      throw new IllegalArgumentException("a row needs %d cells: %s".formatted(columns, row));
    }
    rows.add(row);
    return this;
  }

  private static String text(Object cell) {
    if (cell instanceof Double number) {
      double size = Math.abs(number);
      String format = size < 10 ? "%,.2f" : size < 1_000 ? "%,.1f" : "%,.0f";
      return String.format(Locale.ROOT, format, number);
    }
    return cell instanceof Long || cell instanceof Integer
        ? String.format(Locale.ROOT, "%,d", ((Number) cell).longValue())
        : cell.toString();
  }

  /** Prints it, between blank lines. */
  public void print() {
    System.out.println("\n" + markdown());
  }

  /** Its lines, each with a newline at its end. */
  public String markdown() {
    StringBuilder out = new StringBuilder();
    rows.forEach(row -> append(out, row));
    return out.insert(out.indexOf("\n") + 1, rule()).toString();
  }

  private void append(StringBuilder out, List<String> row) {
    out.append('|');
    for (int i = 0; i < columns; i++) {
      String padding = " ".repeat(width(i) - row.get(i).length());
      out.append(' ').append(i == 0 ? row.get(i) + padding : padding + row.get(i)).append(" |");
    }
    out.append('\n');
  }

  private String rule() {
    StringBuilder out = new StringBuilder("|");
    for (int i = 0; i < columns; i++) {
      out.append("-".repeat(width(i) + 1)).append(i == 0 ? "-|" : ":|");
    }
    return out.append('\n').toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
