package io.entroq.console.view;

import io.entroq.console.chart.LineChart;
import io.entroq.console.value.JsonNode;
import io.entroq.console.value.TimeText;
import java.util.ArrayList;
import java.util.List;

/** A part of a page. A title is a heading; an empty one is left out. */
public sealed interface Part {
  /** The same with links to the past. */
  default Part asOf(Past past) {
    return this;
  }

  /** How a note is meant; said in words, and by a color. */
  enum Tone {
    /** Nothing special. */
    TEXT("", "dim"),
    NOTE("Note", "note"),
    DONE("Done", "note done"),
    PROBLEM("Problem", "note problem");

    private final String label;
    private final String style;

    Tone(String label, String style) {
      this.label = label;
      this.style = style;
    }

    /** The class of its element. */
    public String style() {
      return style;
    }

    /** Whether those who do not see the page should be told. */
    public boolean isNews() {
      return this == DONE || this == PROBLEM;
    }

    /** The word before the text; may be empty. */
    public String label() {
      return label;
    }
  }

  /** A sentence, with something to follow. */
  record Note(Tone tone, String text, List<Link> links) implements Part {
    /** A sentence alone. */
    public static Note of(Tone tone, String text) {
      return new Note(tone, text, List.of());
    }

    @Override
    public Part asOf(Past past) {
      return new Note(tone, text, Link.asOf(links, past));
    }
  }

  /** Names with values. */
  record Facts(String title, List<Fact> facts) implements Part {
    @Override
    public Part asOf(Past past) {
      return new Facts(title, Fact.asOf(facts, past));
    }
  }

  /** Names with values that are to be seen at a glance. */
  record Figures(String title, List<Fact> facts) implements Part {
    @Override
    public Part asOf(Past past) {
      return new Figures(title, Fact.asOf(facts, past));
    }
  }

  /** A name with its value. */
  record Fact(String name, Cell value) {
    private static List<Fact> asOf(List<Fact> facts, Past past) {
      return facts.stream().map(fact -> new Fact(fact.name, fact.value.asOf(past))).toList();
    }
  }

  /**
   * Rows under headings.
   *
   * @param isEmpty said in place of a table without rows
   */
  record Table(String title, List<Column> columns, List<List<Cell>> rows, String isEmpty)
      implements Part {
    @Override
    public Part asOf(Past past) {
      return new Table(
          title,
          columns.stream().map(column -> column.asOf(past)).toList(),
          rows.stream().map(row -> row.stream().map(cell -> cell.asOf(past)).toList()).toList(),
          isEmpty);
    }
  }

  /**
   * A column.
   *
   * @param href where its heading leads, such as to another order; empty for nowhere
   * @param order "ascending" or "descending" if the rows are in its order, otherwise empty
   * @param isNumber whether it is aligned to the right
   */
  record Column(String name, String href, String order, boolean isNumber) {
    /** A column of text. */
    public static Column of(String name) {
      return new Column(name, "", "", false);
    }

    /** A column of numbers. */
    public static Column number(String name) {
      return new Column(name, "", "", true);
    }

    private Column asOf(Past past) {
      return new Column(name, past.url(href), order, isNumber);
    }
  }

  /** A JSON document, which folds. */
  record Tree(String title, String kind, JsonNode root) implements Part {}

  /** Text as it is, such as bytes or a command to copy. */
  record Code(String title, String kind, String text) implements Part {}

  /** What can be done or followed. */
  record Links(String title, List<Link> links) implements Part {
    @Override
    public Part asOf(Past past) {
      return new Links(title, Link.asOf(links, past));
    }
  }

  /** A chart. */
  record Chart(String title, LineChart chart) implements Part {}

  /**
   * Leads to another moment of the past: times in milliseconds since 1970.
   *
   * @param action the URL of the page that it moves, without a query
   * @param fields the other parameters of that page
   * @param stepMs from one place to the next; the last place is now
   */
  record Slider(
      String action, List<Field> fields, long firstMs, long lastMs, long stepMs, long valueMs)
      implements Part {
    /** A time as people read it. */
    public String text(long timeMs) {
      return TimeText.at(timeMs);
    }
  }

  /** A form. */
  record Form(
      String title,
      String text,
      boolean isPost,
      String action,
      List<Field> fields,
      String submit,
      List<Link> links)
      implements Part {
    private static final int MANY_FIELDS = 8;

    @Override
    public Part asOf(Past past) {
      List<Field> more = new ArrayList<>(fields);
      more.add(Field.hidden("at", past.at()));
      return new Form(title, text, isPost, action, more, submit, Link.asOf(links, past));
    }

    /** The class of its element: with many fields it has columns, with one it is a line. */
    public String style() {
      long shown = fields.stream().filter(field -> field.kind() != Field.Kind.HIDDEN).count();
      return shown > MANY_FIELDS ? "columns" : shown == 1 && !isPost ? "line" : "";
    }
  }
}
