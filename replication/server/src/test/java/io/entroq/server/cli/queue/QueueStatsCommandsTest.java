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
import org.junit.jupiter.api.io.TempDir;

/** The commands that print statistics of queues and the time. */
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
            "name",
            "size",
            "claimed",
            "available",
            "future",
            "maxClaims",
            "oldestAvailableMs",
            "inFlight",
            "claimable",
            "lapsed",
            "dead",
            "bytes");
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
  void shouldPrintWhatRulesLetHappen() {
    run("policy", "set", "-q", "mail/out", "--in-flight", "1").assertGood();
    run("pause", "-q", "a").assertGood();
    assertThat(run("stats", "--rules").assertGood().out().lines())
        .containsExactly(
            "QUEUE     AVAILABLE  CLAIMABLE  IN FLIGHT  LAPSED  DEAD  PAUSED UNTIL  NEXT START",
            "a         1          0          0          0       0     resumed       -",
            "mail/out  2          0          1          0       0     -             -");
    JsonNode paused = run("qs", "-q", "a").json().get("a");
    assertThat(paused.get("pausedUntil").asText()).isEqualTo("resumed");
    assertThat(paused.has("nextStart")).isFalse();
  }

  @Test
  void shouldPrintPositions() {
    run("policy", "set", "-q", "line", "--order", "oldest", "--rate", "1/1h").assertGood();
    String first = insert("line");
    String second = insert("line");
    String later = insert("line", "-i", "1h");
    assertThat(run("position", second).assertGood().out())
        .startsWith("ready; 1 start before it; expected to start at ");
    assertThat(run("position", later).assertGood().out()).startsWith("not ready; due at ");
    JsonNode json = run("position", first, "-j").assertGood().json();
    assertThat(json.get("ready").asBoolean()).isTrue();
    assertThat(json.get("ahead").asInt()).isZero();
    run("position", "nobody").assertFailed("entroq position: there is no task nobody\n");
    run("position").assertMisused("ID");
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

  private String insert(String name, Object... args) {
    Object[] all = new Object[args.length + 2];
    all[0] = "-q";
    all[1] = name;
    System.arraycopy(args, 0, all, 2, args.length);
    return run("ins", all).assertGood().json().get(0).get("id").asText();
  }

  private static Duration minute() {
    return Duration.ofMinutes(1);
  }

  private Cli run(String command, Object... args) {
    return Cli.on(data, command, args);
  }
}
