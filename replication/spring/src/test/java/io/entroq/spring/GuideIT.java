package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.service.testing.Await;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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

  /** What only tests and applications with a database or traces have. */
  private static final String OPTIONAL =
      "slf4j-simple|jdbc|h2-|Hikari|spring-tx|spring-orm|boot-sql|transaction|postgres|hibernate|persistence|opentelemetry";

  /** What only applications with an actuator have. */
  private static final String ACTUATOR =
      "actuator|spring-boot-health|micrometer-(core|jakarta|metrics)|metrics|tomcat|servlet|web";

  /** That of the tests without some libraries, which a pattern finds in their names. */
  private static String classPathWithout(String libraries) {
    Pattern pattern = Pattern.compile(libraries);
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !pattern.matcher(new File(entry).getName()).find())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** That of an application with the starter only. */
  private static String classPath() {
    return classPathWithout(OPTIONAL + "|" + ACTUATOR);
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
    return startWith(classPath(), arguments);
  }

  private Process startWith(String libraries, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
    command.add(project.resolve("target/classes") + File.pathSeparator + libraries);
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

  /** Most applications have the actuator, and not all have a database and traces. */
  @Test
  void shouldShowItselfWithoutADatabase() throws Exception {
    Process application =
        startWith(
            classPathWithout(OPTIONAL),
            "--server.port=0",
            "--management.endpoints.web.exposure.include=entroq,metrics");
    try {
      Pattern started = Pattern.compile("Tomcat started on port (\\d+)");
      Await.until(
          "it has started",
          () -> {
            assertThat(application.isAlive()).as(this::output).isTrue();
            return started.matcher(output()).find();
          });
      String actuator = "http://localhost:" + Readme.find(started.pattern(), output());
      assertThat(get(actuator + "/actuator/entroq"))
          .contains("\"name\":\"orders.ship\"", "\"outboxes\":[]");
      assertThat(get(actuator + "/actuator/metrics")).contains("entroq.worker.tasks");
    } finally {
      application.destroyForcibly();
    }
  }

  private static String get(String url) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
        .body();
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
