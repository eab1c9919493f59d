package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.service.testing.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application at the top of the page, from an empty directory to its first task. */
class GuideIT {
  @TempDir private Path project;

  /** What only tests and applications with an actuator, a database or traces have. */
  private static final Pattern NOT_OF_A_STARTER =
      Pattern.compile(
          "slf4j-simple|actuator|spring-boot-health|micrometer-(core|jakarta|metrics)|metrics|tomcat|servlet|web|jdbc|h2-|Hikari|spring-tx|boot-sql|transaction|postgres|opentelemetry");

  /** That of an application with the starter only. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !NOT_OF_A_STARTER.matcher(new File(entry).getName()).find())
        .collect(Collectors.joining(File.pathSeparator));
  }

  @BeforeEach
  void compile() throws IOException {
    Path source = Files.createDirectories(project.resolve("src/main/java/com/example"));
    Path classes = Files.createDirectories(project.resolve("target/classes"));
    Path file = source.resolve("Orders.java");
    Files.writeString(file, Readme.blocks("java").get(0));
    Files.writeString(
        classes.resolve("application.properties"), Readme.blocks("properties").get(0));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    int status =
        compiler.run(
            null,
            null,
            null,
            "-proc:none",
            "-parameters",
            "-cp",
            classPath(),
            "-d",
            classes.toString(),
            file.toString());
    assertThat(status).isZero();
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
    command.add(project.resolve("target/classes") + File.pathSeparator + classPath());
    command.add("com.example.Orders");
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(project.toFile())
        .redirectErrorStream(true)
        .redirectOutput(project.resolve("output").toFile())
        .start();
  }

  private String output() {
    try {
      return Files.readString(project.resolve("output"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldDoItsFirstTaskAndGoOnUntilItIsStopped() throws Exception {
    Process application = start();
    try {
      Await.until(
          "the order is shipped",
          () -> {
            assertThat(application.isAlive()).as(this::output).isTrue();
            return output().contains("shipped Order[id=7, item=book]");
          });
      assertThat(project.resolve("data")).isDirectory();
      application.destroy();
      assertThat(application.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(output()).doesNotContain("WARN", "ERROR", "Exception");
    } finally {
      application.destroyForcibly();
    }
  }

  @Test
  void shouldSayWhatIsWrong() throws Exception {
    Process application = start("--entroq.address=localhost:37706");
    try {
      assertThat(application.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(application.exitValue()).isEqualTo(1);
      assertThat(output())
          .contains("APPLICATION FAILED TO START", "entroq.address", "entroq.data")
          .contains("mutually exclusive");
    } finally {
      application.destroyForcibly();
    }
  }

  @Test
  void shouldNameTheVersionsThatAreTested() throws IOException {
    String shown = Readme.blocks("xml").get(0);
    String ours = Files.readString(Path.of("pom.xml"));
    assertThat(Readme.find("(?s)starter-parent</artifactId>\\s*<version>(.+?)<", shown))
        .isEqualTo(Readme.find("<spring-boot.version>(.+?)<", ours));
    assertThat(Readme.find("(?s)entroq-spring-boot-starter</artifactId>\\s*<version>(.+?)<", shown))
        .isEqualTo(Readme.find("(?s)entroq-parent</artifactId>\\s*<version>(.+?)<", ours));
    assertThat(shown).contains("<artifactId>spring-boot-maven-plugin</artifactId>");
  }
}
