package io.entroq.console.view;

import java.util.List;

/**
 * A field of a form.
 *
 * @param kind how it is entered
 * @param label what people read; empty if it is hidden
 * @param help said below it; may be empty
 * @param choices of a choice: the values, which are also what people read
 */
public record Field(
    Kind kind, String name, String label, String value, String help, List<String> choices) {
  /** How a field is entered. */
  public enum Kind {
    HIDDEN,
    LINE,
    NUMBER,
    TEXT,
    CHOICE
  }

  /** Sent without being shown. */
  public static Field hidden(String name, String value) {
    return new Field(Kind.HIDDEN, name, "", value, "", List.of());
  }

  /** A line of text. */
  public static Field line(String name, String label, String value, String help) {
    return new Field(Kind.LINE, name, label, value, help, List.of());
  }

  /** A whole number that is not negative. */
  public static Field number(String name, String label, String value, String help) {
    return new Field(Kind.NUMBER, name, label, value, help, List.of());
  }

  /** Text of several lines. */
  public static Field text(String name, String label, String value, String help) {
    return new Field(Kind.TEXT, name, label, value, help, List.of());
  }

  /** One of several values. */
  public static Field choice(
      String name, String label, String value, String help, List<String> choices) {
    return new Field(Kind.CHOICE, name, label, value, help, List.copyOf(choices));
  }
}
