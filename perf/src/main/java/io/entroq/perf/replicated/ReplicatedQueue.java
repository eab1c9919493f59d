package io.entroq.perf.replicated;

import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.process.EchoComparison;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.tools.terminal.OptionRange;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares a replicated queue with an echo. */
@Command(
    name = "ReplicatedQueue",
    description = "Measures three members on one machine, compared with an echo on Aeron Cluster.")
public final class ReplicatedQueue extends BenchmarkCommand {
  private static final int BATCH_CALLERS = 8;

  enum Part {
    LATENCY,
    THROUGHPUT,
    BATCHES,
    FAILOVER,
    MILLION
  }

  private static final Set<Part> WITH_ECHO =
      EnumSet.of(Part.LATENCY, Part.THROUGHPUT, Part.BATCHES);

  @Option(names = "--parts", split = ",", description = "${COMPLETION-CANDIDATES}. Default: all.")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(names = "--rounds", description = "Rounds that count (${DEFAULT-VALUE}).")
  private int rounds = 7;

  @Option(
      names = "--warm-ups",
      description = "The most runs of each load before those (${DEFAULT-VALUE}).")
  private int warmUps = 30;

  @Option(names = "--seconds", description = "Seconds of a load in a round (${DEFAULT-VALUE}).")
  private double seconds = 1;

  @Option(names = "--value-bytes", description = "Length of values (${DEFAULT-VALUE}).")
  private int valueBytes = 128;

  @Option(names = "--in-flight", description = "Concurrent commands (${DEFAULT-VALUE}).")
  private int inFlight = 1_024;

  @Option(names = "--kills", description = "How many leaders are killed (${DEFAULT-VALUE}).")
  private int kills = 30;

  @Option(
      names = "--pending",
      description = "Tasks pending in the part MILLION (${DEFAULT-VALUE}).")
  private int pending = 1_000_000;

  @Option(
      names = "--times",
      description = "Snapshots and restarts in the part MILLION (${DEFAULT-VALUE}).")
  private int times = 5;

  @Mixin private final MemberOptions options = new MemberOptions();
  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private ReplicatedQueue() {}

  public static void main(String[] args) {
    run(new ReplicatedQueue(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    OptionRange.require("--rounds", rounds, 1, 1_000);
    OptionRange.require("--warm-ups", warmUps, 0, 1_000);
    OptionRange.require("--seconds", seconds, 0.01, 3_600);
    OptionRange.require("--value-bytes", valueBytes, 0, 10_000);
    OptionRange.require("--in-flight", inFlight, 1, 4_096);
    OptionRange.require("--kills", kills, 1, 10_000);
    OptionRange.require("--pending", pending, 1, 100_000_000);
    OptionRange.require("--times", times, 1, 1_000);
    options.check();
    try (scratch) {
      if (!Collections.disjoint(parts, WITH_ECHO)) {
        compare(report);
      }
      if (parts.contains(Part.FAILOVER)) {
        try (Members members = start("queue", "failover")) {
          new Failover(members).measure(Failover.End.KILL, kills, report);
        }
      }
      if (parts.contains(Part.MILLION)) {
        try (Members members = start("queue", "million")) {
          new Million(members).measure(pending, times, report);
        }
      }
    }
  }

  private Members start(String kind, String name) throws IOException, InterruptedException {
    return Members.start(kind, scratch.resolve(name), options, id -> Redirect.INHERIT);
  }

  private void compare(Report report) throws Exception {
    Duration duration = Duration.ofNanos(Math.round(seconds * 1e9));
    try (Members echo = start("echo", "echo");
        Members queue = start("queue", "queue")) {
      int echoBytes = ClusterLoad.messageBytes(queue, duration, valueBytes);
      Report.note("the echo's messages have %d bytes, to fill as much of the log", echoBytes);
      EchoComparison comparison =
          new EchoComparison("command", () -> queue.compileTime().plus(echo.compileTime()));
      loads(duration, echoBytes)
          .forEach(
              (name, load) ->
                  comparison.add(
                      name,
                      0,
                      () -> load.runOnQueue(queue, valueBytes),
                      () -> load.runOnEcho(echo)));
      comparison.warmUp(warmUps);
      long termId = queue.termId();
      comparison.measure(rounds);
      comparison.print(report);
      report.figure("elections under load", queue.termId() - termId);
      Report.note("%d elections under load", queue.termId() - termId);
    }
  }

  private Map<String, ClusterLoad> loads(Duration duration, int echoBytes) {
    Map<String, ClusterLoad> loads = new LinkedHashMap<>();
    if (parts.contains(Part.LATENCY)) {
      loads.put(
          "one command, on the leader", new ClusterLoad("alone", 1, true, duration, echoBytes));
      loads.put(
          "one command, on a follower", new ClusterLoad("alone", 1, false, duration, echoBytes));
    }
    if (parts.contains(Part.THROUGHPUT)) {
      loads.put(
          inFlight + " in flight", new ClusterLoad("flood", inFlight, true, duration, echoBytes));
    }
    if (parts.contains(Part.BATCHES)) {
      loads.put(
          "tasks in batches of 100",
          new ClusterLoad("batches", BATCH_CALLERS, true, duration, echoBytes));
    }
    return loads;
  }
}
