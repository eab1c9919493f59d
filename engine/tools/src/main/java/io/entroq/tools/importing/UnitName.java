package io.entroq.tools.importing;

/** The name of a queue or namespace. */
public record UnitName(Kind kind, String name) {
  public enum Kind {
    QUEUE("queue", "task"),
    NAMESPACE("namespace", "doc");

    private final String word;
    private final String item;

    Kind(String word, String item) {
      this.word = word;
      this.item = item;
    }

    /** The name of the kind, for messages. */
    public String word() {
      return word;
    }

    /** The name of its items, for messages. */
    public String item() {
      return item;
    }
  }

  @Override
  public String toString() {
    return kind.word() + " " + name;
  }
}
