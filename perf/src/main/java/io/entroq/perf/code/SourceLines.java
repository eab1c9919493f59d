package io.entroq.perf.code;

import java.util.List;

/** How many lines of a Java source file are code, Javadoc and other comments. */
record SourceLines(long code, long javadoc, long comments) {
  static final SourceLines NONE = new SourceLines(0, 0, 0);

  SourceLines plus(SourceLines other) {
    return new SourceLines(code + other.code, javadoc + other.javadoc, comments + other.comments);
  }

  /**
   * Counts the lines of a formatted file. A line with code and a comment is code. A comment begins
   * its line, as the formatter ensures, or follows code.
   */
  static SourceLines of(List<String> lines) {
    long code = 0;
    long javadoc = 0;
    long comments = 0;
    String open = null;
    for (String raw : lines) {
      String line = raw.strip();
      if (open != null) {
        if (open.equals("\"\"\"")) {
          code++;
        } else if (open.equals("/**")) {
          javadoc++;
        } else {
          comments++;
        }
        if (line.contains(open.equals("\"\"\"") ? open : "*/")) {
          open = null;
        }
      } else if (line.startsWith("//")) {
        comments++;
      } else if (line.startsWith("/*")) {
        boolean isJavadoc = line.startsWith("/**");
        if (isJavadoc) {
          javadoc++;
        } else {
          comments++;
        }
        if (!line.contains("*/")) {
          open = isJavadoc ? "/**" : "/*";
        }
      } else if (!line.isEmpty()) {
        code++;
        if (line.endsWith("\"\"\"")) {
          open = "\"\"\"";
        }
      }
    }
    return new SourceLines(code, javadoc, comments);
  }
}
