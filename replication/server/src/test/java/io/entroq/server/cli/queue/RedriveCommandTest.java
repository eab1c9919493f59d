package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.server.cli.Cli;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that work on many tasks, by their output. */
class RedriveCommandTest {
  @TempDir private Path data;

  @BeforeEach
  void fill() {
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue
          .modify(
              Modification.insert(
                  Insert.into("inbox/err").withId("a").withValue("1").withAttempt(5, "x\nrefused"),
                  Insert.into("inbox/err")
                      .withId("b")
                      .withValue("2")
                      .withAttempt(5, "refu\u001bsed"),
                  Insert.into("inbox/err").withId("c").withValue("3").withAttempt(2, "syntax")))
          .orThrow();
    }
  }

  @Test
  void shouldMoveTasksBackAndPrintSummary() {
    assertThat(run("redrive", "-q", "inbox").assertGood().out())
        .isEqualTo("Moved 3 of 3 tasks examined from inbox/err to where they came from.\n");
    assertThat(tasks("inbox")).extracting(Task::text).containsExactlyInAnyOrder("1", "2", "3");
    assertThat(run("redrive", "-q", "inbox").assertGood().out())
        .isEqualTo("Moved 0 of 0 tasks examined from inbox/err to where they came from.\n");
  }

  @Test
  void shouldPrintResultAsJson() {
    run("claim", "-q", "inbox/err", "--claimant", "me");
    JsonNode result = run("redrive", "-q", "inbox", "--json").assertGood().lastLine();
    assertThat(result.toString())
        .isEqualTo(
            "{\"from\":\"inbox/err\",\"to\":null,\"dryRun\":false,\"interrupted\":false,"
                + "\"examined\":3,\"matched\":3,\"moved\":2,\"held\":1,\"changed\":0,"
                + "\"unplaced\":0,\"full\":{},\"missing\":[]}");
    assertThat(run("redrive", "-q", "inbox").assertGood().out())
        .isEqualTo(
            "Moved 0 of 1 task examined from inbox/err to where they came from; 1 skipped because they are"
                + " claimed or not due.\n");
  }

  @Test
  void shouldMoveTasksOfAnExactShape() {
    run("ins", "-q", "inbox/err", "-v", "4").assertGood();
    assertThat(run("redrive", "-q", "inbox", "--shape", "x").assertGood().out())
        .startsWith("Moved 1 of 4 tasks examined");
    assertThat(tasks("inbox")).extracting(Task::text).containsExactly("1");
    assertThat(run("redrive", "-q", "inbox", "--shape", "refu").assertGood().out())
        .startsWith("Moved 0 of 3");
    assertThat(run("redrive", "-q", "inbox", "--shape=").assertGood().out())
        .startsWith("Moved 1 of 3");
    assertThat(run("redrive", "-q", "inbox", "--no-origin", "--shape", "syntax").assertGood().out())
        .startsWith("Moved 1 of 2");
    run("redrive", "-q", "inbox", "--shape", "x".repeat(121))
        .assertMisused("--shape must have at most 120 characters, has 121");
    run("redrive", "-q", "inbox", "--no-origin", "--reason", "failed")
        .assertMisused("--no-origin selects no task that has an --origin or a --reason");
  }

  @Test
  void shouldNameTheQueueThatIsFull() {
    run("policy", "set", "-q", "inbox", "--max-tasks", "2").assertGood();
    assertThat(run("redrive", "-q", "inbox").assertGood().out())
        .isEqualTo(
            "Moved 2 of 3 tasks examined from inbox/err to where they came from; queue inbox is"
                + " full: 1 task not moved.\n");
    JsonNode result = run("redrive", "-q", "inbox", "--json").assertGood().lastLine();
    assertThat(result.get("full").toString()).isEqualTo("{\"inbox\":1}");
    assertThat(tasks("inbox/err")).hasSize(1);
  }

  @Test
  void shouldShowWhatItWouldMove() {
    List<String> lines =
        run("redrive", "-q", "inbox", "--dry-run", "--err", "refu")
            .assertGood()
            .out()
            .lines()
            .toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).startsWith("ID    ").endsWith("LAST ERROR");
    assertThat(lines.subList(1, 3)).allMatch(line -> line.contains("  5  "));
    assertThat(lines.subList(1, 3)).anyMatch(line -> line.endsWith("  refused"));
    assertThat(lines.subList(1, 3)).anyMatch(line -> line.endsWith("  refu?sed"));
    assertThat(lines.get(3))
        .isEqualTo("Would move 2 of 3 tasks examined from inbox/err to where they came from.");
    List<JsonNode> json = run("redrive", "-q", "inbox", "--dry-run", "-j").assertGood().lines();
    assertThat(json).hasSize(4);
    assertThat(json.subList(0, 3))
        .extracting(line -> line.get("id").asText())
        .containsExactlyInAnyOrder("a", "b", "c");
    assertThat(json.get(3).get("dryRun").asBoolean()).isTrue();
    assertThat(tasks("inbox/err")).hasSize(3);
  }

  @Test
  void shouldApplyOptions() {
    run("redrive", "-q", "inbox", "--older-than", "1h").assertGood();
    run("redrive", "-q", "inbox", "--newer-than", "0").assertGood();
    assertThat(tasks("inbox/err")).hasSize(3);
    run("redrive", "--from", "inbox/err", "--to", "slow", "-t", "c").assertGood();
    assertThat(tasks("slow")).extracting(Task::attempt).containsExactly(0);
    run("redrive", "-q", "inbox", "-n", "1", "--rate", "1000", "--newer-than", "1h").assertGood();
    assertThat(tasks("inbox")).hasSize(1);
    run("redrive", "-q", "inbox", "--to", "inbox/again").assertGood();
    assertThat(tasks("inbox/again")).hasSize(1);
  }

  @Test
  void shouldMoveRepeatedTaskOnce() {
    assertThat(run("redrive", "-q", "inbox", "-t", "a", "-t", "a:0", "-t", "a").assertGood().out())
        .isEqualTo("Moved 1 of 1 task examined from inbox/err to where they came from.\n");
    assertThat(tasks("inbox")).extracting(Task::text).containsExactly("1");
  }

  @Test
  void shouldReportMissingTasks() {
    Cli said =
        run("redrive", "-q", "inbox", "-t", "nobody", "-t", "a:7", "-t", "b", "-t", "nobody");
    said.assertFailed("entroq redrive: no such task in queue inbox/err: nobody, a:7\n");
    assertThat(said.out())
        .isEqualTo("Moved 1 of 1 task examined from inbox/err to where they came from.\n");
    Cli json = run("redrive", "-q", "inbox", "-t", "b", "-t", "c", "-j");
    json.assertFailed("no such task in queue inbox/err: b\n");
    assertThat(json.lastLine().get("missing").toString()).isEqualTo("[\"b\"]");
    assertThat(json.lastLine().get("moved").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redrive",
        "redrive -q a --attempts -1",
        "redrive -q a --reason tired",
        "redrive --to a",
        "redrive --from a --to a",
        "redrive -q a --from a",
        "redrive -q a -n -1",
        "redrive -q a --rate -1",
        "redrive -q a --rate NaN",
        "redrive -q a --older-than yesterday",
        "redrive -q a --older-than 2h --newer-than 1h",
        "clear",
        "clear -q a -q b",
      })
  void shouldRejectInvalidCommandLine(String line) {
    String[] words = line.split(" ", 0);
    Cli.run((Object[]) (line + " --data " + data).split(" ", 0))
        .assertMisused("(see entroq " + words[0] + " --help)");
  }

  @Test
  void shouldClearAQueue() {
    assertThat(run("clear", "-q", "inbox/err").out()).isEmpty();
    assertThat(tasks("inbox/err")).isEmpty();
    run("clear", "-q", "inbox/err").assertGoodWith("entroq clear: 0 tasks deleted from inbox/err");
  }

  @Test
  void shouldClearQueueWithActiveWorkers() {
    run("claim", "-q", "inbox/err", "-d", "1h", "--claimant", "me");
    run("clear", "-q", "inbox/err", "-f").assertGoodWith("3 tasks deleted from inbox/err");
    assertThat(tasks("inbox/err")).isEmpty();
    run("ins", "-q", "soon", "-i", "300ms");
    assertThat(run("clear", "-q", "soon").err())
        .endsWith("entroq clear: 1 task deleted from soon\n");
  }

  private List<Task> tasks(String queueName) {
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      return queue.tasks(TaskQuery.in(queueName));
    }
  }

  private Cli run(String command, Object... args) {
    return Cli.on(data, command, args);
  }
}
