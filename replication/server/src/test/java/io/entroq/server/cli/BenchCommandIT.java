package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.load.LoadConfig;
import io.entroq.load.LoadResult;
import io.entroq.load.Machine;
import io.entroq.load.Operation;
import io.entroq.load.Percentiles;
import io.entroq.load.Totals;
import io.entroq.load.ledger.Balance;
import io.entroq.server.bench.BenchJson;
import io.entroq.server.bench.BenchText;
import io.entroq.server.bench.TargetDescription;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Short runs of the load generator through the command line. */
class BenchCommandIT {
  private static final String SHORT = "--seconds 0.3 --warmup-seconds 0.1 --no-progress ";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--sync os",
        "--sync disk --callers 8",
        "--callers 3 --batch 7 --queues 2",
        "--backlog 2500 --queues 10 --value-bytes 16",
        "--rate 200 --callers 2",
      })
  void shouldAccountForEveryTask(String options) {
    JsonNode result = result(bench(options + " --json"));
    assertThat(result.get("right").booleanValue()).isTrue();
    assertThat(result.get("lost").longValue()).isZero();
    assertThat(result.get("doubled").longValue()).isZero();
    assertThat(result.get("remaining").longValue())
        .isEqualTo(result.get("settings").get("backlog").longValue())
        .isEqualTo(result.get("remainingByStatistics").longValue());
    assertThat(result.get("inserted").longValue())
        .isEqualTo(result.get("deleted").longValue() + result.get("remaining").longValue());
    assertThat(temporary(result)).doesNotExist();
  }

  @Test
  void shouldPrintCompleteResult() {
    JsonNode result = result(bench("--json --rate 500 --batch 5"));
    assertThat(names(result))
        .containsExactly(
            "cyclesPerSecond",
            "tasksPerSecond",
            "cycles",
            "measuredSeconds",
            "inserted",
            "claimed",
            "deleted",
            "remaining",
            "remainingByStatistics",
            "lost",
            "doubled",
            "unknown",
            "latencyMicros",
            "overdue",
            "overdueMax",
            "sync",
            "settings",
            "interrupted",
            "checked",
            "right",
            "machine");
    assertThat(names(result.get("latencyMicros")))
        .containsExactly("insert", "claim", "delete", "cycle", "late");
    assertThat(names(result.get("latencyMicros").get("claim")))
        .containsExactly("count", "p50", "p90", "p99", "p99.9", "max");
    assertThat(names(result.get("settings")))
        .containsExactly(
            "data",
            "fileSystem",
            "warmupSeconds",
            "seconds",
            "callers",
            "batch",
            "valueBytes",
            "backlog",
            "queues",
            "rate",
            "queuePrefix");
    assertThat(names(result.get("machine")))
        .contains("cores", "cpu", "memoryBytes", "os", "jvm", "heapBytesMax", "directBytesMax");
    assertThat(result.get("sync").textValue()).isEqualTo("none");
    assertThat(result.get("settings").get("rate").doubleValue()).isEqualTo(500);
    assertThat(result.get("settings").get("data").isNull()).isTrue();
  }

  @Test
  void shouldEndReportWithJson() {
    Cli said = bench("--batch 10");
    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("Batches of 10 tasks of 128 bytes, 1 caller, 1 queue, in memory")
        .contains("cycles/s", "tasks/s", "p99.9", "0 lost, 0 duplicated", "Right:");
    List<String> lines = said.out().lines().toList();
    JsonNode result = Cli.parse(lines.get(lines.size() - 1));
    assertThat(result.get("latencyMicros").has("late")).isFalse();
    assertThat(result.has("overdue")).isFalse();
  }

  @Test
  void shouldNotTouchOtherTasksInDirectory() {
    Path data = directory.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue.modify(Modification.insert("bench/0", "mine")).orThrow();
    }
    result(bench("--json --backlog 10 --data " + data));
    JsonNode second = result(bench("--json --backlog 20 --data " + data));
    assertThat(second.get("remaining").longValue()).isEqualTo(20);
    assertThat(second.get("sync").textValue()).isEqualTo("os");
    assertThat(second.get("settings").get("data").textValue()).isEqualTo(data.toString());
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      String name = second.get("settings").get("queuePrefix").textValue() + 0;
      assertThat(queue.tasks(TaskQuery.in(name))).hasSize(20);
      assertThat(queue.tasks(TaskQuery.in("bench/0"))).hasSize(1);
    }
  }

  @Test
  void shouldExplainMissingResultInOneLine() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "x");
    bench("--json --data " + file).assertFailed("entroq bench: ", file.toString());
    try (EntroQ queue = EmbeddedEntroQ.open(directory.resolve("data"))) {
      assertThat(queue.claimant()).isNotEmpty();
      bench("--json --data " + directory.resolve("data")).assertFailed("in use");
    }
  }

  @Test
  void shouldShowProgressWithoutTerminal() {
    String[] words = "bench --json --seconds 0.2 --warmup-seconds 0 --backlog 100".split(" ", 0);
    Cli said = Cli.run((Object[]) words);
    assertThat(said.status()).isZero();
    assertThat(said.lines()).hasSize(1);
    assertThat(said.err()).contains("100 pending", "Right:");
  }

  @Test
  void shouldPrintResultSoFarWhenStopped() throws Exception {
    Path data = directory.resolve("data");
    Process process =
        Java.start(
            Main.class,
            ("bench --json --seconds 3000 --warmup-seconds 0 --backlog 100 --callers 2 --data "
                    + data)
                .split(" ", 0));
    try {
      BufferedReader err = process.errorReader();
      assertThat(err.readLine()).contains("100 pending");
      assertThat(err.readLine()).contains("cycles/s");
      assertThat(process.toHandle().destroy()).isTrue();
      List<String> rest = err.lines().toList();
      assertThat(rest).anyMatch(line -> line.startsWith("Interrupted; every task"));
      List<String> out = process.inputReader().lines().toList();
      assertThat(process.waitFor()).isEqualTo(128 + 15);
      JsonNode result = Cli.parse(out.get(out.size() - 1));
      assertThat(result.get("interrupted").booleanValue()).isTrue();
      assertThat(result.get("right").booleanValue()).isTrue();
      assertThat(result.get("remaining").longValue()).isEqualTo(100);
      assertThat(result.get("deleted").longValue()).isPositive();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void shouldFailWhenTasksAreNotAccountedFor() {
    Balance right = new Balance(10, 8, 8, 2, 2, 0, 0, 0, true);
    assertThat(status(right, false, null)).isZero();
    assertThat(status(right, true, null)).isEqualTo(130);
    assertThat(status(right, false, "no room")).isEqualTo(1);
    assertThat(status(new Balance(10, 8, 8, 1, 1, 1, 0, 0, true), false, null)).isEqualTo(1);
    assertThat(status(new Balance(10, 8, 8, 2, 2, 0, 1, 0, true), true, null)).isEqualTo(1);
    assertThat(status(new Balance(10, 8, 8, 2, 2, 0, 0, 1, true), false, null)).isEqualTo(1);
    assertThat(status(new Balance(10, 8, 8, 2, 3, 0, 0, 0, true), false, null)).isEqualTo(1);
    assertThat(status(new Balance(10, 8, 8, 3, 3, 0, 0, 0, true), false, null)).isEqualTo(1);
  }

  @Test
  void shouldReportInterruptedCheckAsNeitherRightNorWrong() {
    Balance unfinished = new Balance(10, 8, 8, 1, 1, 1, 0, 0, false);
    assertThat(status(unfinished, true, null)).isEqualTo(130);
    assertThat(status(unfinished, true, "no room")).isEqualTo(1);
    assertThat(status(new Balance(10, 8, 8, 1, 1, 1, 1, 0, false), true, null)).isEqualTo(1);
    LoadResult result = benchResult(unfinished, true, null);
    assertThat(result.isRight()).isFalse();
    assertThat(BenchText.of(result, Machine.here()))
        .contains(
            "10 inserted, 8 deleted, ", "1 of the rest checked", "before every task was checked");
    StringWriter out = new StringWriter();
    TargetDescription place =
        new TargetDescription(Optional.empty(), Optional.empty(), Durability.NONE, false);
    BenchJson.print(new PrintWriter(out), result, place, Machine.here());
    JsonNode json = Cli.parse(out.toString().strip());
    assertThat(json.get("right").booleanValue()).isFalse();
    assertThat(json.get("checked").booleanValue()).isFalse();
    assertThat(json.get("interrupted").booleanValue()).isTrue();
    assertThat(json.get("remaining").isNull()).isTrue();
    assertThat(json.get("lost").isNull()).isTrue();
    assertThat(json.get("doubled").longValue()).isZero();
  }

  private static int status(Balance balance, boolean isInterrupted, String failure) {
    return BenchCommand.status(benchResult(balance, isInterrupted, failure));
  }

  private static LoadResult benchResult(Balance balance, boolean isInterrupted, String failure) {
    LoadConfig config =
        new LoadConfig(
            Duration.ZERO, Duration.ofSeconds(1), 1, 1, 16, 0, 1, OptionalDouble.empty());
    Percentiles none = new Percentiles(0, 0, 0, 0, 0, 0);
    return new LoadResult(
        config,
        "bench/0/",
        1,
        new Totals(10, 8, 8, 8, 8, 8),
        Arrays.stream(Operation.values()).collect(Collectors.toMap(one -> one, one -> none)),
        balance,
        0,
        0,
        isInterrupted,
        Optional.ofNullable(failure));
  }

  private static Cli bench(String options) {
    return Cli.run((Object[]) ("bench " + SHORT + options).strip().split(" +", 0));
  }

  private static JsonNode result(Cli said) {
    assertThat(said.status()).isZero();
    assertThat(said.lines()).hasSize(1);
    return said.lastLine();
  }

  private static Path temporary(JsonNode result) {
    JsonNode data = result.get("settings").get("data");
    return Path.of(data.isNull() ? "/there/is/none" : data.textValue());
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    for (Iterator<String> all = object.fieldNames(); all.hasNext(); ) {
      names.add(all.next());
    }
    return names;
  }
}
