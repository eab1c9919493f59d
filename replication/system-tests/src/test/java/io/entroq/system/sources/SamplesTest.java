package io.entroq.system.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The code on each page stands in a source file, so it compiles; tests run most of those. Classes
 * that pages name exist.
 */
class SamplesTest {
  private static final Pattern CODE =
      Pattern.compile("```(?:java|kotlin)\n(.*?)```", Pattern.DOTALL);

  /** Of the page for Spring Boot: a test builds it as an application of its own. */
  private static final String APPLICATION = "package com.example;";

  private static final List<String> FILES =
      Stream.of(".java", ".kt")
          .flatMap(ending -> Sources.files(ending).stream())
          .map(Sources::read)
          .map(SamplesTest::plain)
          .toList();

  private static final Pattern NAME =
      Pattern.compile("\\bio\\.entroq(?:\\.[a-z]\\w*)+\\.[A-Z]\\w+");

  private static final Set<String> TYPES =
      Sources.all().stream()
          .map(source -> source.packageName() + "." + source.simpleName())
          .collect(Collectors.toSet());

  static Stream<Path> pages() {
    return allPages().stream().filter(page -> samples(page).findAny().isPresent());
  }

  private static Stream<String> samples(Path page) {
    return CODE.matcher(Sources.read(page)).results().map(sample -> sample.group(1));
  }

  /** Without what the formatter decides, and with what a test has in place of a reader's own. */
  private static String plain(String text) {
    return text.replace("served.address()", "\"localhost:37706\"")
        .replace("data(\"data\")", "Path.of(\"data\")")
        .replace("static class", "class")
        // What stands in a comment does not compile.
        .replaceAll("(?s)/\\*.*?\\*/", "")
        .replaceAll("\\s+", "");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void shouldShowWhatCompiles(Path page) {
    assertThat(samples(page).filter(sample -> !sample.startsWith(APPLICATION)))
        .allSatisfy(sample -> assertThat(FILES).anyMatch(file -> isIn(file, sample)));
  }

  @ParameterizedTest
  @MethodSource("allPages")
  void shouldNameClassesThatExist(Path page) {
    assertThat(TYPES)
        .containsAll(NAME.matcher(Sources.read(page)).results().map(MatchResult::group).toList());
  }

  static List<Path> allPages() {
    return Sources.files(".md");
  }

  /** A line of dots stands for what a reader has there. */
  private static boolean isIn(String file, String sample) {
    return Stream.of(sample.split("(?m)^ *(?:\\.\\.\\.|…)$"))
        .allMatch(p -> file.contains(plain(p)));
  }
}
