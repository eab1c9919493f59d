package io.entroq.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.entroq.server.cli.Java;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Lines of the log. */
class LoggingIT {
  @Test
  void shouldWriteLinesForPeople() {
    LogRecord entry = entry(Level.WARNING, "a\nb\u0007é {0}");
    entry.setParameters(new Object[] {"x"});
    assertThat(LogFormat.TEXT.formatter(UnaryOperator.identity()).format(entry))
        .isEqualTo(
            "2026-01-02T03:04:05.000Z [%s] WARN Gate - a b é x%n",
            Thread.currentThread().getName());
    entry.setThrown(new IllegalStateException("gone"));
    assertThat(LogFormat.TEXT.formatter(UnaryOperator.identity()).format(entry))
        .contains("java.lang.IllegalStateException: gone", "\tat ");
  }

  @Test
  void shouldWriteLinesForMachines() throws Exception {
    LogRecord entry = entry(Level.SEVERE, "a\n\"é\"");
    entry.setThrown(new IllegalStateException("gone"));
    String line = LogFormat.JSON.formatter(UnaryOperator.identity()).format(entry);
    assertThat(line).endsWith("}\n").containsOnlyOnce("\n").isASCII();
    JsonNode json = new ObjectMapper().readTree(line);
    assertThat(json.get("time").asText()).isEqualTo("2026-01-02T03:04:05.000Z");
    assertThat(json.get("level").asText()).isEqualTo("ERROR");
    assertThat(json.get("logger").asText()).isEqualTo("io.entroq.server.Gate");
    assertThat(json.get("message").asText()).isEqualTo("a\n\"é\"");
    assertThat(json.get("error").asText()).startsWith("java.lang.IllegalStateException: gone");
  }

  @Test
  void shouldNameLevelsAsOthersDo() {
    assertThat(LogLevel.wordOf(Level.FINEST)).isEqualTo("DEBUG");
    assertThat(LogLevel.wordOf(Level.CONFIG)).isEqualTo("DEBUG");
    assertThat(LogLevel.wordOf(Level.INFO)).isEqualTo("INFO");
  }

  @Test
  void shouldHaveOneOutputForAllThatLog() throws Exception {
    Process process = Java.command(Speaking.class).start();
    process.getOutputStream().close();
    List<String> lines =
        new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor()).isZero();
    assertThat(lines)
        .extracting(line -> line.replaceFirst("^[^ ]* \\[main\\] ", ""))
        .containsExactly(
            "INFO Speaking - ours",
            "WARN library - theirs",
            "ERROR other - of the platform",
            lines.get(3));
    assertThat(new ObjectMapper().readTree(lines.get(3)).get("message").asText())
        .isEqualTo("in detail in other words");
  }

  /** Logs in every way there is. */
  static final class Speaking {
    public static void main(String[] args) {
      Logging.prepare();
      LoggerFactory.getLogger("io.entroq.x.Speaking").info("ours");
      LoggerFactory.getLogger("io.entroq.x.Speaking").debug("not told");
      LoggerFactory.getLogger("some.library").info("not told");
      LoggerFactory.getLogger("some.library").warn("theirs");
      LoggerFactory.getLogger("io.grpc.Channel").warn("not told: the command reports it");
      System.getLogger("some.other").log(System.Logger.Level.ERROR, "of the platform");
      Logging.use(LogFormat.JSON, LogLevel.DEBUG, text -> text + " in other words");
      LoggerFactory.getLogger("io.entroq.x.Speaking").debug("in detail");
    }
  }

  private static LogRecord entry(Level level, String message) {
    LogRecord entry = new LogRecord(level, message);
    entry.setLoggerName("io.entroq.server.Gate");
    entry.setInstant(Instant.parse("2026-01-02T03:04:05Z"));
    return entry;
  }
}
