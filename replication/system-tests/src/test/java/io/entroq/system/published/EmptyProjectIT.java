package io.entroq.system.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A project with one dependency and ten lines: Maven, or Gradle, builds it with what this build has
 * made, and its program runs without flags.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EmptyProjectIT {
  private static final Path PROJECTS = Path.of("src", "test", "projects");
  private static final Path SOURCES = Path.of("maven", "src", "main", "java", "app");
  private static final Path JDKS = Path.of("/usr/lib/jvm");
  private static final Path THIS_JDK = Path.of(System.getProperty("java.home"));

  /** The first JDK that warns of Unsafe and of native libraries, whatever uses them. */
  private static final int WARNING_JDK = 24;

  @TempDir private static Path scratch;

  // Not in a temporary directory, whose removal warns of each link.
  private static final Path LIBRARIES = Path.of("target", "repository").toAbsolutePath();
  private static BuiltRepository repository;

  @TempDir private Path directory;

  @BeforeAll
  static void shouldFindWhatTheBuildHasMade() throws Exception {
    repository =
        BuiltRepository.in(LIBRARIES, Path.of(System.getProperty("entroq.maven.repository")));
  }

  @Test
  void shouldBeBuiltByMaven() throws Exception {
    Path project = project("maven", "pom.xml");
    String jarPlugin = repository.pluginVersion("maven-jar-plugin");
    build(
        project,
        Path.of(System.getProperty("entroq.maven.home"), "bin", "mvn").toString(),
        "-B",
        "-o",
        "-q",
        "-Dmaven.repo.local=" + LIBRARIES,
        // Its files came from repositories that this project need not know.
        "-Daether.enhancedLocalRepository.trackingFilename=none",
        "-Dlibraries=" + LIBRARIES.toUri(),
        "-Dentroq.version=" + repository.version(),
        "-Dresources.version=" + repository.pluginVersion("maven-resources-plugin"),
        "-Dcompiler.version=" + repository.pluginVersion("maven-compiler-plugin"),
        "-Djar.version=" + jarPlugin,
        "compile",
        "org.apache.maven.plugins:maven-jar-plugin:" + jarPlugin + ":jar");
    assertRuns(project.resolve("target/app.jar"));
  }

  @Test
  @Tag("long")
  void shouldBeBuiltByGradle() throws Exception {
    Optional<Path> gradle = gradle();
    assumeTrue(gradle.isPresent(), "no gradle on the path");
    Path project = project("gradle", "settings.gradle", "build.gradle");
    build(
        project,
        gradle.orElseThrow().toString(),
        "jar",
        "-q",
        "--offline",
        "--no-daemon",
        "--gradle-user-home=" + scratch.resolve("gradle-home"),
        "-Dmaven.repo.local=" + LIBRARIES,
        "-Dentroq.version=" + repository.version());
    assertRuns(project.resolve("build/libs/app.jar"));
  }

  /** Lays out a project: some files, and the program, which is the same in all. */
  private static Path project(String tool, String... files) throws IOException {
    Path project = scratch.resolve(tool);
    Path sources = Files.createDirectories(project.resolve("src/main/java/app"));
    for (String file : files) {
      Files.copy(PROJECTS.resolve(tool).resolve(file), project.resolve(file));
    }
    Files.copy(PROJECTS.resolve(SOURCES).resolve("App.java"), sources.resolve("App.java"));
    return project;
  }

  private static void build(Path project, String... command) throws Exception {
    Ended tool = run(project, command);
    assertThat(tool.status()).as(tool.out() + tool.err()).isZero();
  }

  private void assertRuns(Path jar) throws Exception {
    Ended here = run(directory, java(THIS_JDK), "-jar", jar.toString());
    assertThat(here.status()).as(here.err()).isZero();
    assertThat(here.out()).isEqualTo("hello\n");
    if (Runtime.version().feature() < WARNING_JDK) {
      assertThat(here.err()).isEmpty();
    }
    Optional<Path> newer = jdk("25");
    assumeTrue(newer.isPresent(), "no JDK 25 in " + JDKS);
    Ended there = run(directory, java(newer.orElseThrow()), "-jar", jar.toString());
    assertThat(there.status()).as(there.err()).isZero();
    assertThat(there.out()).isEqualTo("hello\n");
    assertThat(there.err().lines())
        .allMatch(line -> line.isEmpty() || line.startsWith("WARNING: "));
  }

  private static String java(Path jdk) {
    return jdk.resolve("bin/java").toString();
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

  private static Optional<Path> gradle() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, 0))
        .map(entry -> Path.of(entry, "gradle"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Runs a program without the flags that the environment of the build may have for it. */
  private static Ended run(Path directory, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder
        .environment()
        .keySet()
        .removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "MAVEN_OPTS", "MAVEN_ARGS"));
    builder.environment().put("JAVA_HOME", THIS_JDK.toString());
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
