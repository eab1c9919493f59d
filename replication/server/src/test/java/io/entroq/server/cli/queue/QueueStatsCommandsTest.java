package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.server.cli.Cli;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands that print statistics of queues and the time. */
@Timeout(60)
class QueueStatsCommandsTest {
  @TempDir private Path data;

  @BeforeEach
  void fill() {
    run("ins", "-q", "mail/out", "-v", "1", "-v", "2", "-v", "3");
    run("ins", "-q", "mail/out", "-i", "1h");
    run("ins", "-q", "a");
    run("claim", "-q", "mail/out");
  }

  @Test
  void shouldPrintJsonObjectByName() {
    JsonNode queues = run("qs").assertGood().json();
    assertThat(queues.fieldNames()).toIterable().containsExactly("a", "mail/out");
    JsonNode mail = queues.get("mail/out");
    assertThat(mail.fieldNames())
        .toIterable()
        .containsExactly(
            "name", "size", "claimed", "available", "future", "maxClaims", "oldestAvailableMs");
    assertThat(mail.toString())
        .startsWith(
            "{\"name\":\"mail/out\",\"size\":4,\"claimed\":1,\"available\":2,\"future\":1,"
                + "\"maxClaims\":1,");
    assertThat(mail.get("oldestAvailableMs").asLong()).isBetween(1L, 60_000L);
    run("ins", "-q", "later", "-i", "1h");
    assertThat(run("qs", "-q", "later", "-j").json().get("later").has("oldestAvailableMs"))
        .isFalse();
    assertThat(run("stats", "-j").assertGood().json().fieldNames())
        .toIterable()
        .containsExactly("a", "later", "mail/out");
  }

  @Test
  void shouldPrintATable() {
    run("ins", "-q", "later", "-i", "1h");
    assertThat(run("stats").assertGood().out().lines().map(line -> line.replaceAll("\\d+s$", "1s")))
        .containsExactly(
            "QUEUE     SIZE  FUTURE  AVAILABLE  CLAIMED  MAX CLAIMS  OLDEST",
            "a         1     0       1          0        0           1s",
            "later     1     1       0          0        0           -",
            "mail/out  4     1       2          1        1           1s");
  }

  @Test
  void shouldSelectQueues() {
    assertThat(run("qs", "-p", "mail/").json()).hasSize(1);
    assertThat(run("qs", "-p", "m", "-q", "a").json()).hasSize(2);
    assertThat(run("qs", "-q", "mail/").assertGood().out()).isEqualTo("{}\n");
    assertThat(run("qs", "-n", "1").json()).hasSize(1);
  }

  @Test
  void shouldPrintTime() {
    Instant before = Instant.now().minusSeconds(60);
    Instant time = Instant.parse(run("time").assertGood().out().strip());
    assertThat(time).isBetween(before, Instant.now().plusSeconds(60));
    long millis = Long.parseLong(run("time", "-m").assertGood().out().strip());
    assertThat(millis).isGreaterThanOrEqualTo(time.toEpochMilli());
    OffsetDateTime local = OffsetDateTime.parse(run("time", "-l").assertGood().out().strip());
    assertThat(Duration.between(time, local.toInstant())).isBetween(Duration.ZERO, minute());
  }

  private static Duration minute() {
    return Duration.ofMinutes(1);
  }

  private Cli run(String command, Object... args) {
    return Cli.on(data, command, args);
  }
}
