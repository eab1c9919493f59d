package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.server.cli.Cli;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that insert, claim, list, change and delete tasks, by their output. */
class TaskCommandsTest {
  private static final String[] KEYS = {
    "queue",
    "id",
    "version",
    "at",
    "claimant",
    "claims",
    "value",
    "created",
    "modified",
    "attempt",
    "err"
  };

  @TempDir private Path temporary;

  @Test
  void shouldInsertATaskForEachValue() {
    JsonNode inserted =
        run("ins", "-q", "inbox", "-v", "{\"x\":1}", "-v", "\"caf\u00e9\"", "-v", "")
            .assertGoodWith("entroq ins: created the data directory " + data())
            .json();
    assertThat(inserted).hasSize(3);
    JsonNode first = inserted.get(0);
    assertThat(first.fieldNames()).toIterable().containsExactly(KEYS);
    assertThat(first.get("queue").asText()).isEqualTo("inbox");
    assertThat(first.get("version").isInt()).isTrue();
    assertThat(first.get("value").toString()).isEqualTo("{\"x\":1}");
    assertThat(Instant.parse(first.get("at").asText()))
        .isEqualTo(Instant.parse(first.get("created").asText()))
        .isEqualTo(Instant.parse(first.get("modified").asText()));
    assertThat(first.get("claimant").asText()).isEmpty();
    assertThat(inserted.get(1).get("value").asText()).isEqualTo("caf\u00e9");
    assertThat(inserted.get(2).get("value").isNull()).isTrue();
    assertThat(tasks("inbox"))
        .extracting(Task::value)
        .containsExactlyInAnyOrder(
            Value.json("{\"x\":1}"), Value.json("\"caf\u00e9\""), Value.absent());
  }

  @Test
  void shouldInsertATaskWithoutAValueThatIsAvailableLater() {
    JsonNode inserted = run("ins", "-q", "later", "-i", "1h30m").json().get(0);
    assertThat(inserted.get("value").isNull()).isTrue();
    Instant created = Instant.parse(inserted.get("created").asText());
    assertThat(Instant.parse(inserted.get("at").asText()))
        .isCloseTo(created.plus(Duration.ofMinutes(90)), within(1, ChronoUnit.SECONDS));
    run("claim", "-q", "later", "--try").assertNothing("No task");
  }

  @Test
  void shouldListTasksByQueueAndById() {
    List<String> ids = new ArrayList<>();
    for (JsonNode task : run("ins", "-q", "inbox", "-v", "1", "-v", "2", "-v", "3").json()) {
      ids.add(task.get("id").asText());
    }
    run("ins", "-q", "other", "-v", "4").assertGood();
    List<JsonNode> listed = run("ts", "-q", "inbox").assertGood().lines();
    assertThat(listed).extracting(task -> task.get("id").asText()).hasSameElementsAs(ids);
    assertThat(listed.get(0).fieldNames()).toIterable().containsExactly(KEYS);
    assertThat(run("ts", "-q", "inbox", "-n", "2", "-j").assertGood().lines()).hasSize(2);
    assertThat(run("ts", "-q", "inbox", "-V").assertGood().lines())
        .hasSize(3)
        .allMatch(task -> task.get("value").isNull());
    assertThat(run("ts", "-q", "nothing").assertGood().out()).isEmpty();

    assertThat(
            run(
                    "ts",
                    "-t",
                    ids.get(2),
                    "-t",
                    "nobody",
                    "-t",
                    ids.get(0) + ":0",
                    "-t",
                    ids.get(1) + ":1")
                .assertGood()
                .lines())
        .extracting(task -> task.get("id").asText())
        .containsExactly(ids.get(2), ids.get(0));
    assertThat(run("ts", "-q", "other", "-t", ids.get(0)).assertGood().out()).isEmpty();
  }

  @Test
  void shouldPrintTextAsTextAndBytesAsEntroQDoes() {
    try (EntroQ queue = EmbeddedEntroQ.open(data())) {
      queue
          .modify(
              Modification.insert(
                  Insert.into("json").withValue(utf8("{\"b\":[1.5,1e21]}")),
                  Insert.into("text").withValue("no JSON"),
                  Insert.into("bytes").withValue(Value.bytes(new byte[] {-1, 0})),
                  Insert.into("number").withValue(Value.json("1.0"))))
          .orThrow();
    }
    assertThat(run("ts", "-q", "json").out()).contains("\"value\":{\"b\":[1.5,1e+21]},");
    assertThat(run("ts", "-q", "text").out()).contains("\"value\":\"no JSON\",");
    assertThat(run("ts", "-q", "bytes").out()).contains("\"value\":\"/wA=\",");
    assertThat(run("ts", "-q", "number").out()).contains("\"value\":1,");
  }

  private static Value utf8(String text) {
    return Value.bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldClaimAsGivenClaimant() {
    run("ins", "-q", "inbox", "-v", "1");
    JsonNode claimed =
        run("claim", "-q", "other", "-q", "inbox", "-d", "90", "--claimant", "me")
            .assertGood()
            .json();
    assertThat(claimed.fieldNames()).toIterable().containsExactly(KEYS);
    assertThat(claimed.get("claimant").asText()).isEqualTo("me");
    assertThat(claimed.get("claims").asInt()).isEqualTo(1);
    assertThat(claimed.get("version").asInt()).isEqualTo(1);
    assertThat(lease(claimed)).isEqualTo(Duration.ofSeconds(90));
    Cli again = run("claim", "-q", "inbox", "--try").assertNothing("No task");
    assertThat(again.out()).isEmpty();
    // The claim survives reopening the directory.
    assertThat(tasks("inbox").get(0).version()).isEqualTo(1);
  }

  @Test
  void shouldWaitForDueTaskAndKeepClaim() {
    run("ins", "-q", "soon", "-i", "0.5");
    assertThat(run("claim", "-q", "soon").json().get("claims").asInt()).isEqualTo(1);
    run("claim", "-q", "soon", "--try").assertNothing("No task");
  }

  @Test
  void shouldClaimATaskById() {
    String id = insert("inbox");
    JsonNode claimed =
        run("tryclaimid", "-q", "inbox", "-t", id, "-d", "1m", "--claimant", "me")
            .assertGood()
            .json();
    assertThat(claimed.fieldNames()).toIterable().containsExactly(KEYS);
    assertThat(claimed.get("claimant").asText()).isEqualTo("me");
    assertThat(claimed.get("claims").asInt()).isZero();
    // The lease starts at the request, slightly before the change.
    assertThat(lease(claimed)).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(1));
    run("tryclaimid", "-q", "inbox", "-t", id)
        .assertFailed(
            "entroq tryclaimid: task " + id + " is claimed by me until ", "--claimant me");
    run("tryclaimid", "-q", "inbox", "-t", id + ":0", "--claimant", "me")
        .assertFailed("task " + id + " has version 1, not 0");
    run("tryclaimid", "-q", "other", "-t", id)
        .assertFailed("there is no task " + id + " in queue other");
    run("tryclaimid", "-q", "inbox", "-t", id + ":1", "--claimant", "me").assertGood();
  }

  @Test
  void shouldChangeATask() {
    TaskId id = TaskId.random();
    try (EntroQ queue = EmbeddedEntroQ.open(data())) {
      queue
          .modify(
              Modification.insert(
                  Insert.into("inbox/err").withId(id).withValue("old").withAttempt(5, "broken")))
          .orThrow();
    }
    assertThat(run("mod", "-t", id, "-Q", "inbox").assertGood().out()).isEmpty();
    Task moved = tasks("inbox").get(0);
    assertThat(moved.value()).isEqualTo(Value.text("old"));
    assertThat(moved.attempt()).isEqualTo(5);
    assertThat(moved.claimant()).isEmpty();
    run("mod", "-t", id + ":1", "-r", "-v", "[2]").assertGood();
    Task changed = tasks("inbox").get(0);
    assertThat(changed.value()).isEqualTo(Value.json("[2]"));
    assertThat(changed.attempt()).isZero();
    assertThat(changed.err()).isEmpty();
    run("mod", "-t", id + ":1", "-r").assertFailed("has version 2, not 1");
    run("mod", "-t", "nobody").assertFailed("entroq mod: there is no task nobody");
  }

  @Test
  void shouldReplaceATaskByAFreshOne() {
    TaskId id = TaskId.random();
    try (EntroQ queue = EmbeddedEntroQ.open(data())) {
      queue
          .modify(
              Modification.insert(
                  Insert.into("inbox/err").withId(id).withValue("old").withAttempt(5, "broken")))
          .orThrow();
    }
    run("claim", "-q", "inbox/err", "--claimant", "me");
    run("mod", "-t", id, "-R", "inbox").assertFailed("is claimed by me until", "or use --force");
    assertThat(tasks("inbox")).isEmpty();
    assertThat(run("mod", "-t", id, "-R", "inbox", "-f").assertGood().out()).isEmpty();
    assertThat(tasks("inbox/err")).isEmpty();
    Task fresh = tasks("inbox").get(0);
    assertThat(fresh.id()).isNotEqualTo(id);
    assertThat(fresh.value()).isEqualTo(Value.text("old"));
    assertThat(fresh.err()).isEmpty();
    assertThat(List.of(fresh.version(), fresh.claims(), fresh.attempt())).containsOnly(0);

    run("mod", "-t", fresh.id(), "--reset_to_queue=inbox", "-v", "7").assertGood();
    assertThat(tasks("inbox")).extracting(Task::value).containsExactly(Value.json("7"));
    run("mod", "-t", id, "-R", "inbox", "-Q", "other").assertMisused("cannot be combined");
    run("mod", "-t", id, "-R", "inbox", "-r").assertMisused("cannot be combined");
  }

  @Test
  void shouldRemoveValueOfTask() {
    String id = insert("inbox");
    run("mod", "-t", id, "-r").assertGood();
    assertThat(tasks("inbox").get(0).value()).isEqualTo(Value.json("1"));
    run("mod", "-t", id, "-v", "").assertGood();
    assertThat(tasks("inbox").get(0).value()).isEqualTo(Value.absent());
  }

  @Test
  void shouldChangeClaimedTaskOnlyAsItsClaimant() {
    String id = insert("inbox");
    run("claim", "-q", "inbox", "--claimant", "me");
    run("mod", "-t", id, "-v", "2").assertFailed("is claimed by me until", "or use --force");
    run("mod", "-t", id, "-v", "2", "--claimant", "me").assertGood();
    run("claim", "-q", "inbox", "--claimant", "me");
    run("mod", "-t", id, "-v", "3", "-f").assertGood();
    assertThat(tasks("inbox").get(0).value()).isEqualTo(Value.json("3"));
    assertThat(tasks("inbox").get(0).claimant()).isEmpty();
  }

  @Test
  void shouldTakeAClaimedTaskBack() {
    String id = insert("inbox");
    run("claim", "-q", "inbox", "-d", "1h", "--claimant", "worker");
    assertThat(run("mod", "-t", id, "--take-back", "--claimant", "me").assertGood().out())
        .startsWith("taken back from worker, who held it until 2");
    Task task = tasks("inbox").get(0);
    assertThat(task.claimant()).isEmpty();
    assertThat(task.value()).isEqualTo(Value.json("1"));
    assertThat(List.of(task.version(), task.claims())).containsExactly(2, 1);
    run("rm", "-t", id + ":1", "--claimant", "worker").assertFailed("has version 2, not 1");

    assertThat(run("mod", "-t", id + ":2", "--take_back").assertGood().out())
        .isEqualTo("nobody held it; it is available\n");
    run("mod", "-t", id + ":2", "--take-back").assertFailed("has version 3, not 2");
    for (String other : List.of("-Qq", "-Rq", "-r", "-v2", "-f")) {
      run("mod", "-t", id, "--take-back", other).assertMisused("cannot be combined");
    }
  }

  @Test
  void shouldDeleteATask() {
    String id = insert("inbox");
    run("rm", "-t", id + ":7").assertFailed("entroq rm: task " + id + " has version 0, not 7");
    assertThat(run("rm", "-t", id).assertGood().out()).isEqualTo("null\n");
    run("rm", "-t", id).assertFailed("there is no task " + id);
    assertThat(tasks("inbox")).isEmpty();
  }

  @Test
  void shouldDeleteClaimedTaskAfterLeaseOrByForce() {
    String id = insert("inbox");
    run("claim", "-q", "inbox", "-d", "1h", "--claimant", "me");
    run("rm", "-t", id, "-r", "1").assertFailed("is claimed by me until ", "use --force");
    assertThat(run("rm", "-t", id, "-f").assertGood().out()).isEqualTo("null\n");

    String other = insert("inbox");
    run("claim", "-q", "inbox", "-d", "700ms", "--claimant", "me");
    assertThat(run("rm", "-t", other).out()).isEqualTo("null\n");
    assertThat(tasks("inbox")).isEmpty();
  }

  @Test
  void shouldRecognizeIdsThatLookLikeVersions() {
    try (EntroQ queue = EmbeddedEntroQ.open(data())) {
      queue
          .modify(
              Modification.insert(
                  Insert.into("inbox").withId("host:80").withValue(Value.json("1")),
                  Insert.into("inbox").withId("host").withValue(Value.json("2"))))
          .orThrow();
    }
    assertThat(run("ts", "-t", "host:80").lastLine().get("value").asInt()).isEqualTo(1);
    assertThat(run("ts", "-t", "host:0").lastLine().get("value").asInt()).isEqualTo(2);
    run("rm", "-t", "host:80").assertGood();
    run("rm", "-t", "host:80").assertFailed("task host has version 0, not 80");
  }

  @Test
  void shouldAcceptVersionsUpToMaximum() {
    try (EntroQ queue = EmbeddedEntroQ.open(data())) {
      queue
          .modify(
              Modification.insert(
                  Insert.into("inbox").withId("a:2147483648").withValue(Value.json("1")),
                  Insert.into("inbox").withId("a").withValue(Value.json("2"))))
          .orThrow();
    }
    run("rm", "-t", "a:2147483647").assertFailed("task a has version 0, not 2147483647");
    run("rm", "-t", "a:9999999999").assertFailed("there is no task a:9999999999");
    assertThat(run("ts", "-t", "a:2147483648").lastLine().get("value").asInt()).isEqualTo(1);
    run("rm", "-t", "a:0000000000").assertGood();
  }

  @Test
  void shouldReportTaskThatIsNotDue() {
    String id = run("ins", "-q", "later", "-i", "1h").json().get(0).get("id").asText();
    String notDue = "task " + id + " is not due until ";
    run("mod", "-t", id, "-r").assertFailed("entroq mod: " + notDue, ": use --force");
    run("rm", "-t", id, "-r", "1").assertFailed("entroq rm: " + notDue, ": use --force, or try");
    run("tryclaimid", "-q", "later", "-t", id).assertFailed(notDue, ": try again later");
    run("rm", "-t", id, "-f").assertGood();
  }

  private static Duration lease(JsonNode task) {
    return Duration.between(
        Instant.parse(task.get("modified").asText()), Instant.parse(task.get("at").asText()));
  }

  private String insert(String queue) {
    return run("ins", "-q", queue, "-v", "1").json().get(0).get("id").asText();
  }

  private List<Task> tasks(String queueName) {
    try (EntroQ queue = EmbeddedEntroQ.open(data())) {
      return queue.tasks(TaskQuery.in(queueName));
    }
  }

  private Path data() {
    return temporary.resolve("data");
  }

  private Cli run(String command, Object... args) {
    return Cli.on(data(), command, args);
  }
}
