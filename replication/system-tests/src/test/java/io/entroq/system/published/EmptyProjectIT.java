package io.entroq.system.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A project with one dependency and ten lines: Maven builds it with what this build has made, and
 * its program runs without flags.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EmptyProjectIT {
  private static final Path PROJECT = Path.of("src", "test", "projects", "maven");
  private static final Path JDKS = Path.of("/usr/lib/jvm");

  /** The first JDK that warns of Unsafe and of native libraries, whatever uses them. */
  private static final int WARNING_JDK = 24;

  @TempDir private static Path scratch;

  @TempDir private Path directory;

  @BeforeAll
  static void shouldBeBuilt() throws Exception {
    // Not in a temporary directory, whose removal warns of each link.
    Path libraries = Path.of("target", "repository").toAbsolutePath();
    BuiltRepository repository =
        BuiltRepository.in(libraries, Path.of(System.getProperty("entroq.maven.repository")));
    for (String file : List.of("pom.xml", "src/main/java/app/App.java")) {
      Path copy = scratch.resolve("project").resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(PROJECT.resolve(file), copy);
    }
    String jarPlugin = repository.pluginVersion("maven-jar-plugin");
    Ended maven =
        run(
            scratch.resolve("project"),
            List.of(
                Path.of(System.getProperty("entroq.maven.home"), "bin", "mvn").toString(),
                "-B",
                "-o",
                "-q",
                "-Dmaven.repo.local=" + libraries,
                "-Dlibraries=" + libraries.toUri(),
                "-Dentroq.version=" + repository.version(),
                "-Dresources.version=" + repository.pluginVersion("maven-resources-plugin"),
                "-Dcompiler.version=" + repository.pluginVersion("maven-compiler-plugin"),
                "-Djar.version=" + jarPlugin,
                "compile",
                "org.apache.maven.plugins:maven-jar-plugin:" + jarPlugin + ":jar"));
    assertThat(maven.status()).as(maven.out()).isZero();
  }

  @Test
  void shouldRunOnTheJdkOfTheBuild() throws Exception {
    Ended program = run(Path.of(System.getProperty("java.home")));
    if (Runtime.version().feature() < WARNING_JDK) {
      assertThat(program.err()).isEmpty();
    }
  }

  @Test
  void shouldRunOnJdk25() throws Exception {
    Optional<Path> jdk = jdk("25");
    assumeTrue(jdk.isPresent(), "no JDK 25 in " + JDKS);
    assertThat(run(jdk.orElseThrow()).err().lines())
        .allMatch(line -> line.isEmpty() || line.startsWith("WARNING: "));
  }

  private Ended run(Path jdk) throws Exception {
    Path jar = scratch.resolve(Path.of("project", "target", "app.jar"));
    Ended program =
        run(directory, List.of(jdk.resolve("bin/java").toString(), "-jar", jar.toString()));
    assertThat(program.status()).as(program.err()).isZero();
    assertThat(program.out()).isEqualTo("hello\n");
    return program;
  }

  private static Optional<Path> jdk(String version) throws IOException {
    if (!Files.isDirectory(JDKS)) {
      return Optional.empty();
    }
    try (Stream<Path> jdks = Files.list(JDKS)) {
      return jdks.filter(jdk -> jdk.getFileName().toString().contains("-" + version + "-"))
          .filter(jdk -> Files.isExecutable(jdk.resolve("bin/java")))
          .findFirst();
    }
  }

  /** Runs a program without the flags that the environment of the build may have for it. */
  private static Ended run(Path directory, List<String> command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
    builder.directory(directory.toFile());
    builder
        .environment()
        .keySet()
        .removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "MAVEN_OPTS"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Path out = Files.createTempFile(scratch, "out", ".txt");
    Path err = Files.createTempFile(scratch, "err", ".txt");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      return new Ended(process.waitFor(), Files.readString(out), Files.readString(err));
    } finally {
      process.destroyForcibly();
    }
  }

  /** A process that has ended. */
  private record Ended(int status, String out, String err) {}
}
