package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.entroq.cluster.member.MemberJvm;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts the command line, with the jar that {@code mvn package} builds. */
@Timeout(300)
@EnabledOnOs(OS.LINUX)
class LauncherIT {
  private static final Path LAUNCHER = Path.of("bin/entroq").toAbsolutePath();
  private static final Path JAR = Path.of("target/entroq.jar").toAbsolutePath();

  /** The processor time that a shell reports for the processes that it has waited for. */
  private static final Pattern CHILDREN =
      Pattern.compile("(\\d+)m([\\d.]+)s (\\d+)m([\\d.]+)s\\s*\\z");

  private static final double VERSION_SECONDS_MAX = 0.5;
  private static final double STATS_SECONDS_MAX = 0.8;

  /** A busy machine slows single runs down. */
  private static final int RUNS_MAX = 8;

  @TempDir private static Path classData;
  @TempDir private Path temporary;

  @BeforeAll
  static void writeClassData() throws Exception {
    assumeThat(JAR).exists();
    assertThat(run(Map.of(), "class-data")).isEqualTo(new Cli(0, "", ""));
    assertThat(onlyFile(classData, ".jsa")).isNotEmptyFile();
  }

  @Test
  void shouldPrintTheVersionInHalfASecondOfProcessorTime() throws Exception {
    assertThat(run(Map.of(), "--version").assertGood().out()).startsWith("entroq ");
    assertThat(seconds(VERSION_SECONDS_MAX, "--version")).isLessThan(VERSION_SECONDS_MAX);
  }

  @Test
  void shouldAskAServerForStatisticsInLessThanASecondOfProcessorTime() throws Exception {
    try (EmbeddedEntroQ engine = EmbeddedEntroQ.inMemory();
        GrpcServer server = GrpcServer.start(engine.gateway(), GrpcServerConfig.on(0))) {
      String[] stats = {"stats", "-s", "127.0.0.1:" + server.port()};
      assertThat(run(Map.of(), stats).assertGood().out()).startsWith("QUEUE  SIZE");
      assertThat(seconds(STATS_SECONDS_MAX, stats)).isLessThan(STATS_SECONDS_MAX);
      assertThat(shared(stats)).isGreaterThan(1_000);
    }
  }

  @Test
  void shouldStartServersWithClassDataToo() throws Exception {
    assertThat(shared("serve", "--print-config")).isGreaterThan(300);
  }

  @Test
  void shouldStartMembersWithTheFlagsOfMembers() throws Exception {
    Map<String, String> environment = new HashMap<>(withJava("#!/bin/sh\necho \"$@\"\n"));
    environment.put("ENTROQ_CLASS_DATA", "");
    String processors = run(new ProcessBuilder("nproc")).out().strip();
    for (String given : List.of("-Xmx1g", "-XX:+UseZGC")) {
      environment.put("JAVA_TOOL_OPTIONS", given);
      List<String> flags = MemberJvm.flags(Integer.parseInt(processors), environment);
      List<String> words = List.of(run(environment, "node").out().strip().split(" ", -1));
      assertThat(words).containsAll(flags).endsWith("node");
      assertThat(words).filteredOn(word -> word.startsWith("-XX:")).hasSameSizeAs(flags);
    }
  }

  @Test
  void shouldWorkWithoutClassData() throws Exception {
    run(Map.of("ENTROQ_CLASS_DATA", ""), "--version").assertGood();
    run(Map.of("ENTROQ_CLASS_DATA", temporary.resolve("none").toString()), "--version")
        .assertGood();
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void shouldIgnoreClassDataOfAnotherJarOrJavaInSilence() throws Exception {
    Map<String, String> own = withQuickWriter();
    run(own, "class-data").assertGood();
    Path file = onlyFile(temporary, ".jsa");
    assertThat(file).hasContent("not class data");
    assertThat(run(own, "--version").assertGood().out().lines()).hasSize(1);
    Files.delete(file);
    Files.copy(onlyFile(classData, ".jsa"), file);
    assertThat(run(own, "--version").assertGood().out().lines()).hasSize(1);
  }

  @Test
  void shouldTakeOverTheLockOfAKilledWriter() throws Exception {
    Map<String, String> own = withQuickWriter();
    run(own, "class-data").assertGood();
    Path file = onlyFile(temporary, ".jsa");
    Files.delete(file);
    Path lock = Files.createDirectory(temporary.resolve(file.getFileName() + ".lock"));
    assertThat(run(own, "class-data").status()).isEqualTo(1);
    assertThat(lock).isDirectory();
    Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(Duration.ofMinutes(11))));
    run(own, "class-data").assertGood();
    assertThat(lock).doesNotExist();
    assertThat(file).isNotEmptyFile();
  }

  @Test
  void shouldSayWhereItExpectsTheJar() throws Exception {
    Cli missing = run(Map.of("ENTROQ_JAR", temporary + "/none.jar"), "--version");
    assertThat(missing.err()).startsWith("entroq: there is no " + temporary + "/none.jar: build");
    assertThat(missing.status()).isEqualTo(1);
  }

  /**
   * A jar and a directory for class data of its own, and a Java that starts the real one, but
   * writes useless class data at once instead of good ones after seconds.
   */
  private Map<String, String> withQuickWriter() throws IOException {
    return withJava(
        """
        #!/bin/sh
        case $1 in
          -XX:ArchiveClassesAtExit=*) printf 'not class data' >"${1#*=}" ;;
          *) exec "%s/bin/java" "$@" ;;
        esac
        """
            .formatted(System.getProperty("java.home")));
  }

  private Map<String, String> withJava(String script) throws IOException {
    Path jar = Files.copy(JAR, temporary.resolve("entroq.jar"));
    Path java = Files.createDirectories(temporary.resolve("java/bin")).resolve("java");
    Files.writeString(java, script);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    return Map.of(
        "ENTROQ_JAR",
        jar.toString(),
        "ENTROQ_CLASS_DATA",
        temporary.toString(),
        "JAVA_HOME",
        temporary.resolve("java").toString());
  }

  private static Path onlyFile(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(suffix)).toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }

  private static ProcessBuilder command(Map<String, String> environment, String... args) {
    List<String> words = new ArrayList<>(List.of(LAUNCHER.toString()));
    words.addAll(List.of(args));
    ProcessBuilder command = new ProcessBuilder(words);
    command.environment().put("LC_ALL", "C");
    command.environment().put("ENTROQ_JAR", JAR.toString());
    command.environment().put("ENTROQ_CLASS_DATA", classData.toString());
    command.environment().put("JAVA_HOME", System.getProperty("java.home"));
    command.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    command.environment().putAll(environment);
    return command;
  }

  private static Cli run(Map<String, String> environment, String... args) throws Exception {
    return run(command(environment, args));
  }

  private static Cli run(ProcessBuilder command) throws IOException, InterruptedException {
    Path errors = Files.createTempFile("launcher", ".err");
    try {
      Process process = command.redirectError(errors.toFile()).start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Cli(process.waitFor(), out, Files.readString(errors));
    } finally {
      Files.delete(errors);
    }
  }

  /** The least processor time of several runs; stops at the first one below the limit. */
  private static double seconds(double limit, String... args) throws Exception {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < RUNS_MAX && least >= limit; i++) {
      ProcessBuilder command = command(Map.of(), args);
      command.command().addAll(0, List.of("bash", "-c", "\"$0\" \"$@\" >/dev/null; times"));
      Matcher times = CHILDREN.matcher(run(command).assertGood().out());
      assertThat(times.find()).isTrue();
      double user = 60 * Double.parseDouble(times.group(1)) + Double.parseDouble(times.group(2));
      double system = 60 * Double.parseDouble(times.group(3)) + Double.parseDouble(times.group(4));
      least = Math.min(least, user + system);
    }
    return least;
  }

  /** The number of classes of the jar that come from class data. */
  private long shared(String... args) throws Exception {
    Path log = temporary.resolve("classes");
    Map<String, String> logging =
        Map.of("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + log + "::filecount=0");
    assertThat(run(logging, args).status()).isZero();
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.endsWith("source: shared objects file (top)")).count();
    }
  }
}
