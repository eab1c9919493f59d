package io.entroq.system.sources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Java sources of this repository, one record for each file. Package pages are left out. */
final class Sources {
  static final Path ROOT = Path.of("..", "..");
  private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

  private Sources() {}

  /**
   * @param module the directory of its module, from the root
   * @param isMain whether it is main code
   */
  record Source(String module, boolean isMain, Path file, String packageName, String text) {
    String simpleName() {
      return file.getFileName().toString().replace(".java", "");
    }

    /** The page of its package; empty if there is none. */
    String packagePage() {
      Path page = file.resolveSibling("package-info.java");
      return Files.exists(page) ? read(page) : "";
    }
  }

  /** All of them, of the modules that any profile builds. */
  static List<Source> all() {
    List<Source> sources = new ArrayList<>();
    for (String module : modules()) {
      for (String kind : List.of("main", "test")) {
        Path directory = ROOT.resolve(module).resolve(Path.of("src", kind, "java"));
        for (Path file : filesIn(directory, ".java")) {
          sources.add(source(module, kind.equals("main"), file));
        }
      }
    }
    return sources;
  }

  /** All files of the repository with an ending, other than what a build makes. */
  static List<Path> files(String ending) {
    return Stream.of("README.md", "engine", "replication", "codec", "perf", ".github")
        .map(ROOT::resolve)
        .flatMap(
            place -> Files.isDirectory(place) ? filesIn(place, ending).stream() : Stream.of(place))
        .filter(file -> file.toString().endsWith(ending))
        .filter(file -> !file.toString().contains("/target/"))
        .toList();
  }

  /** Each once, however many profiles name it. */
  private static List<String> modules() {
    return MODULE
        .matcher(read(ROOT.resolve("pom.xml")))
        .results()
        .map(found -> found.group(1))
        .distinct()
        .toList();
  }

  private static Source source(String module, boolean isMain, Path file) {
    String text = read(file);
    Matcher declared = PACKAGE.matcher(text);
    String name = declared.find() ? declared.group(1) : "";
    return new Source(module, isMain, file, name, text);
  }

  private static List<Path> filesIn(Path directory, String ending) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .filter(file -> !file.endsWith("package-info.java"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
