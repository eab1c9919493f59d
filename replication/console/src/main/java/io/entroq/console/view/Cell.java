package io.entroq.console.view;

import io.entroq.console.chart.Sparkline;
import java.util.Locale;
import java.util.Optional;

/**
 * A value in a table or list.
 *
 * @param href where it leads; empty for nowhere
 * @param note what is said beside it, in small letters; may be empty
 * @param chart drawn in place of the text
 * @param level how far it is indented, from 0: what folds open is below what it belongs to
 */
public record Cell(String text, String href, String note, Optional<Sparkline> chart, int level) {
  /** Text. */
  public static Cell of(String text) {
    return link(text, "");
  }

  /** A number. */
  public static Cell of(long number) {
    return of(String.format(Locale.ROOT, "%,d", number));
  }

  /** Text that leads somewhere. */
  public static Cell link(String text, String href) {
    return new Cell(text, href, "", Optional.empty(), 0);
  }

  /** A chart. */
  public static Cell of(Sparkline chart) {
    return new Cell("", "", "", Optional.of(chart), 0);
  }

  /** The same with a note. */
  public Cell noted(String text) {
    return new Cell(this.text, href, text, chart, level);
  }

  /** The same, indented. */
  public Cell indented(int levels) {
    return new Cell(text, href, note, chart, levels);
  }

  /** The same, which leads to a page of the past. */
  Cell asOf(Past past) {
    return new Cell(text, past.url(href), note, chart, level);
  }

  /** Whether it leads somewhere. */
  public boolean isLink() {
    return !href.isEmpty();
  }
}
