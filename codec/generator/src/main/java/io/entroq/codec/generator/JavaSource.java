package io.entroq.codec.generator;

import java.util.List;

/** The text of a Java class, indented by its braces. */
final class JavaSource {
  private static final int COLUMNS = 100;

  private final StringBuilder text = new StringBuilder();
  private int depth;

  @SuppressWarnings("AnnotateFormatMethod") // Without arguments, it is no format.
  JavaSource line(String format, Object... arguments) {
    String line = arguments.length == 0 ? format : format.formatted(arguments);
    if (line.startsWith("}")) {
      depth--;
    }
    if (!line.isEmpty()) {
      text.append("  ".repeat(depth)).append(fit(line));
    }
    text.append('\n');
    if (line.endsWith("{")) {
      depth++;
    }
    return this;
  }

  /** Breaks a long line after its first parenthesis. */
  private String fit(String line) {
    int parenthesis = line.indexOf('(');
    if (2 * depth + line.length() <= COLUMNS || parenthesis < 0) {
      return line;
    }
    String indent = "  ".repeat(depth + 2);
    return line.substring(0, parenthesis + 1) + "\n" + indent + line.substring(parenthesis + 1);
  }

  /** Adds a blank line, a Javadoc comment, and a method of one statement. */
  void method(String comment, String signature, String statement) {
    line("");
    javadoc(comment);
    line(signature + " {").line(statement).line("}");
  }

  /** Adds a statement that ends with a sum, one term per line. */
  void sum(String start, List<String> terms) {
    for (int i = 0; i < terms.size(); i++) {
      String end = i == terms.size() - 1 ? ";" : "";
      line((i == 0 ? start : "    + ") + terms.get(i) + end);
    }
  }

  /** Adds a comment of the schema as Javadoc; nothing if it is empty. */
  void javadoc(String comment) {
    String escaped =
        comment
            .replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace("@", "&#64;")
            .replace("*/", "*&#47;")
            .replaceAll("`([^`]*)`", "{@code $1}");
    String indent = "  ".repeat(depth);
    if (comment.isEmpty()) {
      return;
    }
    String flat = escaped.replaceAll("\\s+", " ").strip();
    if (indent.length() + flat.length() + 7 <= COLUMNS) {
      line("/** " + flat + " */");
      return;
    }
    line("/**");
    StringBuilder row = new StringBuilder(" *");
    for (String word : flat.split(" ", -1)) {
      if (indent.length() + row.length() + 1 + word.length() > COLUMNS) {
        line(row.toString());
        row = new StringBuilder(" *");
      }
      row.append(' ').append(word);
    }
    line(row.toString());
    line(" */");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
