package io.entroq.simulator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.world.Simulation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Short simulations through the command line. */
class SimCommandIT {
  private static final String SHORT = "--hours 0.01 --clients 20 --no-progress ";

  @Test
  void shouldReproduceWorldFromSeed() {
    Cli said = sim(SHORT + "--seed 7 --json");
    assertThat(said.lines()).hasSize(1);
    assertThat(sim(SHORT + "--seed 7 --json").out()).isEqualTo(said.out());
    JsonNode first = said.lastLine();
    assertThat(first.get("requests").longValue()).isPositive();
    assertThat(first.get("commits").longValue()).isPositive();
    assertThat(first.get("faults")).isNotEmpty();
    assertThat(first.get("trace").textValue()).matches("[0-9a-f]{16}");
    assertThat(sim(SHORT + "--seed 8 --json").lastLine().get("trace"))
        .isNotEqualTo(first.get("trace"));
  }

  @Test
  void shouldPrintCompleteResult() {
    JsonNode result = result(sim(new FakeWorlds(), "--seed 7 --hours 0.5 --json --no-progress"));
    assertThat(names(result))
        .containsExactly(
            "seed",
            "hours",
            "requests",
            "commits",
            "steps",
            "faults",
            "violations",
            "trace",
            "interrupted",
            "world");
    assertThat(names(result.get("world")))
        .containsExactly("hours", "clients", "rate", "durability", "members", "faults");
    assertThat(names(result.get("faults"))).containsExactly("request-lost", "power-lost");
    assertThat(result.get("seed").longValue()).isEqualTo(7);
    assertThat(result.get("hours").doubleValue()).isEqualTo(0.5);
    assertThat(result.get("violations").longValue()).isZero();
    assertThat(result.get("interrupted").booleanValue()).isFalse();
  }

  @Test
  void shouldPrintRandomSeedThatReproducesWorld() {
    String options = "--hours 0.5 --json --no-progress";
    JsonNode drawn = result(sim(new FakeWorlds(), options));
    JsonNode again = result(sim(new FakeWorlds(), options + " --seed " + drawn.get("seed")));
    assertThat(again).isEqualTo(drawn);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "request-lost", "request-lost,poison-task", "-power-lost"})
  void shouldInjectOnlySelectedFaults(String faults) {
    Cli said = sim(SHORT + "--seed 7 --json --durability os --faults " + faults);
    JsonNode world = said.lastLine().get("world");
    assertThat(world.get("faults").textValue()).isEqualTo(faults);
    assertThat(world.get("durability").textValue()).isEqualTo("os");
    List<String> made = names(said.lastLine().get("faults"));
    if (faults.startsWith("-")) {
      assertThat(made).isNotEmpty().doesNotContain("power-lost");
    } else {
      assertThat(List.of(faults.split(",", 0))).containsAll(made);
    }
  }

  @Test
  void shouldShareLogBetweenMembers() {
    Cli said = sim("--seed 3 --hours 0.01 --clients 10 --members 3 --faults none --no-progress");
    assertThat(said.out()).startsWith("Seed 3: 0.01 hours, 10 clients, 100 requests a second, 3 m");
    JsonNode result = Cli.parse(said.out().lines().toList().get(lastIndex(said)));
    assertThat(result.get("world").get("members").longValue()).isEqualTo(3);
    assertThat(result.get("commits").longValue()).isPositive();
  }

  @Test
  void shouldEndReportWithJson() {
    Cli said = sim(new FakeWorlds(), "--seed 5 --hours 0.02 --clients 20 --no-progress");
    assertThat(said.status()).isZero();
    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .startsWith("Seed 5: 0.02 hours, 20 clients, 100 requests a second, durability ")
        .contains("times real time", "commits", "9 faults of 2 kinds")
        .contains("Right: no invariant was violated.");
    List<String> lines = said.out().lines().toList();
    assertThat(Cli.parse(lines.get(lines.size() - 1)).get("seed").longValue()).isEqualTo(5);
  }

  @Test
  void shouldExplainEveryFaultAndEveryInvariant() {
    String help = sim("--help").assertGood().out().replaceAll("\\s+", " ");
    for (FaultKind kind : FaultKind.values()) {
      assertThat(help).contains(" " + kind.label() + " " + kind.effect());
    }
    for (Invariant invariant : Invariant.values()) {
      assertThat(help).contains(" " + invariant.label() + " " + invariant.statement());
    }
    assertThat(help).as("a footer is a format").doesNotContain("%n", "%%");
  }

  @Test
  void shouldListFaultsWhenOneIsMistyped() {
    sim("--faults powerlost").assertMisused("powerlost", "power-lost", "request-lost, reply-lost");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-3", "NaN", "1e9"})
  void shouldRejectHoursOutOfRange(String hours) {
    sim("--hours=" + hours).assertMisused("hours", "above 0 and up to 1000000 ");
  }

  @ParameterizedTest
  @CsvSource({
    "0.001, 0.001 hours",
    "0.0126, 0.013 hours",
    "0.05, 0.05 hours",
    "0.5, 0.50 hours",
    "1, 1 hour",
    "12.345, 12.35 hours",
    "3000, '3,000 hours'"
  })
  void shouldPrintShortDurationsPrecisely(String hours, String said) {
    assertThat(sim(new FakeWorlds(), "--no-progress --faults none --hours " + hours).out())
        .startsWith("Seed ")
        .contains(": " + said + ", ", "\n" + said + " in ");
  }

  @Test
  void shouldReportViolationAndHowToReproduceIt() {
    Cli said =
        sim(new FakeWorlds(), "--seed 4 --hours 2 --no-shrink --no-progress --durability os");
    assertThat(said.status()).isEqualTo(1);
    assertThat(said.out())
        .contains("WRONG: no-phantom was violated: " + Invariant.NO_PHANTOM.statement())
        .contains("task 17: expected: none, actual: version 3")
        .contains("seed 4, step 600, virtual time 0:36:00.000000005")
        .contains("    record 12: Claim\n    record 13: Modify\n")
        .contains("jar --seed 4 --hours 2.0 --clients 200 --rate 100 --faults all")
        .doesNotContain("smallest", "\tat ");
    JsonNode result = Cli.parse(said.out().lines().toList().get(lastIndex(said)));
    assertThat(result.get("violations").longValue()).isEqualTo(1);
    assertThat(result.get("invariant").textValue()).isEqualTo("no-phantom");
    assertThat(result.get("step").longValue()).isEqualTo(600);
    assertThat(result.get("virtualNs").longValue()).isEqualTo(2_160_000_000_005L);
    assertThat(result.get("lastCommands")).hasSize(2);
    assertThat(result.get("replay").textValue()).contains("simulator.jar --seed 4 --hours 2.0");
    assertThat(result.has("smallest")).isFalse();
  }

  @Test
  void shouldReportSmallestWorldWithViolation() {
    Cli said = sim(new FakeWorlds(), "--seed 4 --hours 2 --no-progress --json");
    assertThat(said.status()).isEqualTo(1);
    assertThat(said.err()).contains("The smallest world found", "faults: power-lost\n");
    JsonNode result = said.lastLine();
    JsonNode smallest = result.get("smallest");
    assertThat(smallest.get("faults").textValue()).isEqualTo("power-lost");
    assertThat(smallest.get("clients").longValue()).isLessThan(200);
    assertThat(smallest.get("invariant").textValue()).isEqualTo("no-phantom");
    assertThat(result.get("replay").textValue())
        .contains("--faults power-lost", "--clients " + smallest.get("clients") + " ");
    assertThat(result.get("world").get("faults").textValue()).isEqualTo("all");
  }

  @Test
  void shouldPrintResultSoFarWhenStopped() throws Exception {
    Process process =
        start("--json --hours 100000 --clients 20 --seed 3 --faults none".split(" ", 0));
    try {
      BufferedReader err = process.errorReader();
      assertThat(err.readLine()).startsWith("Seed 3: 100,000 hours");
      assertThat(err.readLine()).contains("hours", "times real time", "commits", "faults");
      assertThat(process.toHandle().destroy()).isTrue();
      assertThat(err.lines().toList())
          .contains("Interrupted; no invariant has been violated so far.");
      List<String> out = process.inputReader().lines().toList();
      assertThat(process.waitFor()).isEqualTo(128 + 15);
      JsonNode result = Cli.parse(out.get(out.size() - 1));
      assertThat(result.get("interrupted").booleanValue()).isTrue();
      assertThat(result.get("violations").longValue()).isZero();
      assertThat(result.get("hours").doubleValue()).isPositive().isLessThan(100_000);
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "--nonsense",
        "--seed x",
        "--seed",
        "--hours 0",
        "--hours NaN",
        "--clients 0",
        "--rate 0",
        "--rate 1.5",
        "--members 0",
        "--members 8",
        "--faults nonsense",
        "--faults=-nonsense",
        "--durability none",
        "--durability much"
      })
  void shouldReportUsageErrorInOneLine(String options) {
    sim(options).assertMisused("(see sim --help)");
  }

  @Test
  void shouldGiveExamplesAndTheExitStatus() {
    String help = sim("--help").assertGood().out();
    assertThat(help).contains("Usage: sim ", "\nExamples:\n  sim ", "\nExit status: 0 if ");
    assertThat(help.lines().filter(line -> line.length() > 80)).isEmpty();
    // Faults and invariants follow.
    assertThat(help.lines().takeWhile(line -> !line.equals("Faults:")))
        .hasSizeLessThanOrEqualTo(100);
    assertThat(sim("--version").assertGood().out()).startsWith("entroq simulator ");
  }

  private static Cli sim(String options) {
    return sim(Simulation::run, options);
  }

  private static Cli sim(WorldRunner worlds, String options) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        SimCommand.commandLine(new SimCommand(worlds))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(options.strip().split(" +", 0));
    return new Cli(status, out.toString(), err.toString());
  }

  /** Starts the jar that the build has made. */
  private static Process start(String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-jar", Path.of("target", "entroq-simulator.jar").toString()));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).start();
  }

  private static int lastIndex(Cli said) {
    return (int) said.out().lines().count() - 1;
  }

  private static JsonNode result(Cli said) {
    assertThat(said.status()).as(said.err()).isZero();
    assertThat(said.lines()).hasSize(1);
    return said.lastLine();
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** What a command printed, and its exit status. */
  private record Cli(int status, String out, String err) {
    private static final ObjectMapper JSON = new ObjectMapper();

    List<JsonNode> lines() {
      return out.lines().map(Cli::parse).toList();
    }

    JsonNode lastLine() {
      List<JsonNode> lines = lines();
      return lines.get(lines.size() - 1);
    }

    /** Reads a line, which must be a JSON object in ASCII. */
    static JsonNode parse(String line) {
      assertThat(line).matches("\\{[ -~]*}");
      try {
        return JSON.readTree(line);
      } catch (IOException e) {
        throw new UncheckedIOException(line, e);
      }
    }

    Cli assertGood() {
      assertThat(err).isEmpty();
      assertThat(status).isZero();
      return this;
    }

    /** Asserts that it reported a usage error in one line. */
    void assertMisused(String... why) {
      assertThat(out).isEmpty();
      assertThat(err.lines()).hasSize(1);
      assertThat(err).startsWith("sim: ").contains(why);
      assertThat(status).isEqualTo(2);
    }
  }
}
