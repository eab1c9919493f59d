package io.entroq.server.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.OS;

/**
 * The class data of the jar that the build has made, which save each process of the command line a
 * part of its start. The first test that starts one has them written and does not wait for them.
 * Without them, processes load their classes from the class path of the tests.
 */
final class ClassData {
  /** Named by the build once it has made the jar. */
  static final String JAR = System.getProperty("entroq.test.jar", "");

  private static final Path DIRECTORY = Path.of("target", "class-data").toAbsolutePath();
  private static Optional<Path> found = Optional.empty();
  private static boolean isAskedFor;

  private ClassData() {}

  static synchronized boolean isThere() {
    if (found.isEmpty() && !JAR.isEmpty() && OS.LINUX.isCurrentOs()) {
      try {
        found = find();
        if (found.isEmpty() && !isAskedFor) {
          isAskedFor = true;
          write();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return found.isPresent();
  }

  static List<String> flags() {
    return List.of(
        "-XX:SharedArchiveFile=" + found.orElseThrow(), "-Xshare:auto", "-Xlog:cds*=off");
  }

  /** The script does nothing while another process writes. */
  private static void write() throws IOException {
    ProcessBuilder writer = new ProcessBuilder("bin/entroq", "class-data");
    writer.environment().put("ENTROQ_JAR", JAR);
    writer.environment().put("ENTROQ_CLASS_DATA", DIRECTORY.toString());
    writer.environment().put("JAVA_HOME", System.getProperty("java.home"));
    writer
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Those of this jar, and not of one that was built before. */
  private static Optional<Path> find() throws IOException {
    Files.createDirectories(DIRECTORY);
    long builtMs = Files.getLastModifiedTime(Path.of(JAR)).toMillis();
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      return files
          .filter(file -> file.toString().endsWith(".jsa"))
          .filter(file -> file.toFile().lastModified() > builtMs)
          .findFirst();
    }
  }
}
