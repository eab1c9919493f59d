package io.entroq.tools.importing;

/**
 * Names a place of the source.
 *
 * @param kind what it is
 * @param name its name
 */
public record UnitName(Kind kind, String name) {
  /** What has a name. */
  public enum Kind {
    /** Has tasks. */
    QUEUE("queue", "task"),
    /** Has docs. */
    NAMESPACE("namespace", "doc");

    private final String word;
    private final String item;

    Kind(String word, String item) {
      this.word = word;
      this.item = item;
    }

    /** For people. */
    public String word() {
      return word;
    }

    /** What is in it, for people. */
    public String item() {
      return item;
    }
  }

  @Override
  public String toString() {
    return kind.word() + " " + name;
  }
}
