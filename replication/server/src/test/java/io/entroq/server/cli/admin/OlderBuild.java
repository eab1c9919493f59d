package io.entroq.server.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A build from this repository's history, made when it is needed first. */
final class OlderBuild {
  /** The last one below behavior level 10. */
  private static final String COMMIT = "2df418c9";

  /** Of the repository. */
  private static final Path TOP = Path.of("..", "..");

  private static final Path MADE = Path.of("target", "older-build", COMMIT).toAbsolutePath();
  private static final int BUILD_MINUTES_MAX = 20;

  private OlderBuild() {}

  /** Its runnable jar. Skips the test where history or tools are missing. */
  static Path jar() throws Exception {
    if (!Files.exists(MADE)) {
      make();
    }
    return MADE.resolve("replication/server/target/entroq.jar");
  }

  private static void make() throws Exception {
    Path unfinished = MADE.resolveSibling(COMMIT + ".tmp");
    Files.createDirectories(unfinished);
    Path log = unfinished.resolve("build.log");
    require(
        log,
        "this copy has no commit %s; a shallow clone gets it by `git fetch --unshallow`",
        "git",
        "cat-file",
        "-e",
        COMMIT + "^{commit}");
    require(log, "there is no Maven", "mvn", "--version");
    Path archive = unfinished.resolve("sources.tar");
    check(log, TOP, "git", "archive", "--format=tar", "--output=" + archive, COMMIT);
    check(log, unfinished, "tar", "-xf", archive.toString());
    check(
        log,
        unfinished,
        "mvn -B -ntp -o -q -DskipTests -pl replication/server -am package".split(" ", 0));
    Files.move(unfinished, MADE);
  }

  private static void require(Path log, String why, String... command) throws Exception {
    if (!status(log, TOP, command).equals(Optional.of(0))) {
      Assumptions.abort("skipped, as there is no older build: " + why.formatted(COMMIT));
    }
  }

  private static void check(Path log, Path directory, String... command) throws Exception {
    assertThat(status(log, directory, command))
        .as(() -> String.join(" ", command) + ":\n" + read(log))
        .contains(0);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Empty if there is no such command. */
  private static Optional<Integer> status(Path log, Path directory, String... command)
      throws InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(List.of(command)).directory(directory.toFile());
    builder.environment().putAll(Map.of("JAVA_HOME", System.getProperty("java.home")));
    try {
      Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
      boolean isOver = process.waitFor(BUILD_MINUTES_MAX, TimeUnit.MINUTES);
      process.destroyForcibly();
      assertThat(isOver).as("%s took too long", command[0]).isTrue();
      return Optional.of(process.exitValue());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
