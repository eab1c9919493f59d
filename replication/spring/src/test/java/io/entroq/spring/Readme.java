package io.entroq.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The blocks of code on the page of this module. */
final class Readme {
  private static final String PAGE = page();

  private Readme() {}

  private static String page() {
    try {
      return Files.readString(Path.of("README.md"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** All blocks in a language, in their order. */
  static List<String> blocks(String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(PAGE)
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  /** The first group of a pattern in a text, which must be there. */
  static String find(String pattern, String text) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    if (!found.find()) {
      throw new AssertionError("there is no " + pattern + " in " + text);
    }
    return found.group(1);
  }
}
