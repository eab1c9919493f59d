package io.entroq.perf.replicated;

import io.entroq.api.Durability;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Report;
import io.entroq.tools.terminal.OptionRange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures a replicated queue beside a bare echo. */
@Command(
    name = "ReplicatedQueue",
    description = "What three members on one machine make, beside a bare echo of Aeron Cluster.",
    mixinStandardHelpOptions = true)
public final class ReplicatedQueue implements Callable<Integer> {
  private static final int BATCH_CALLERS = 8;

  /** What can be measured. */
  enum Part {
    LATENCY,
    THROUGHPUT,
    BATCHES,
    FAILOVER,
    MILLION
  }

  @Option(names = "--parts", split = ",", description = "${COMPLETION-CANDIDATES}. Default: all.")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(names = "--rounds", description = "Rounds that count (${DEFAULT-VALUE}).")
  private int rounds = 7;

  @Option(
      names = "--warm-ups",
      description = "How often at most each load is put on at first (${DEFAULT-VALUE}).")
  private int warmUps = 30;

  @Option(names = "--seconds", description = "Seconds of a load in a round (${DEFAULT-VALUE}).")
  private double seconds = 1;

  @Option(names = "--value-bytes", description = "How long values are (${DEFAULT-VALUE}).")
  private int valueBytes = 128;

  @Option(names = "--in-flight", description = "Commands under way (${DEFAULT-VALUE}).")
  private int inFlight = 1_024;

  @Option(names = "--kills", description = "How many leaders are killed (${DEFAULT-VALUE}).")
  private int kills = 30;

  @Option(names = "--pending", description = "How many tasks wait (${DEFAULT-VALUE}).")
  private int pending = 1_000_000;

  @Option(names = "--times", description = "Snapshots and restarts then (${DEFAULT-VALUE}).")
  private int times = 5;

  @Option(names = "--durability", description = "os, disk (${DEFAULT-VALUE}).")
  private Durability durability = Durability.OS;

  @Option(
      names = "--heartbeat-ms",
      description = "Time-out of the heartbeat in milliseconds, if other than usual.")
  private int heartbeatMs;

  @Option(
      names = "--flag",
      paramLabel = "FLAG",
      description =
          "Another flag of the members' JVMs; any number. With -XX:TieredStopAtLevel=1 they are"
              + " warm after seconds, and slower than they could be.")
  private List<String> flags = new ArrayList<>();

  @Option(names = "--directory", description = "Where the logs are; by default temporary.")
  private Optional<Path> directory = Optional.empty();

  private ReplicatedQueue() {}

  /** Runs the measurement. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new ReplicatedQueue())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionRange.require("--rounds", rounds, 1, 1_000);
    OptionRange.require("--warm-ups", warmUps, 0, 1_000);
    OptionRange.require("--seconds", seconds, 0.01, 3_600);
    OptionRange.require("--value-bytes", valueBytes, 0, 10_000);
    OptionRange.require("--in-flight", inFlight, 1, 4_096);
    OptionRange.require("--kills", kills, 1, 10_000);
    OptionRange.require("--pending", pending, 1, 100_000_000);
    OptionRange.require("--times", times, 1, 1_000);
    OptionRange.require("--heartbeat-ms", heartbeatMs, 0, 60_000);
    Report report =
        new Report(ReplicatedQueue.class)
            .setting("durability", durability.name())
            .setting("valueBytes", valueBytes)
            .setting("inFlight", inFlight)
            .setting("rounds", rounds)
            .setting("seconds", seconds)
            .setting("flags", flags);
    report.begin();
    Setup setup = new Setup(durability, heartbeatMs, flags);
    try (ScratchDirectory scratch = ScratchDirectory.of(directory)) {
      compare(scratch, setup, report);
      if (parts.contains(Part.FAILOVER)) {
        try (Members members = start("queue", "failover", scratch, setup)) {
          new Failover(members).measure(kills, report);
        }
      }
      if (parts.contains(Part.MILLION)) {
        try (Members members = start("queue", "million", scratch, setup)) {
          new Million(members).measure(pending, times, report);
        }
      }
    }
    report.end();
    return 0;
  }

  private Members start(String kind, String name, ScratchDirectory scratch, Setup setup)
      throws IOException, InterruptedException {
    return Members.start(kind, scratch.resolve(name), setup);
  }

  private void compare(ScratchDirectory scratch, Setup setup, Report report)
      throws IOException, InterruptedException {
    Duration ofRun = Duration.ofNanos(Math.round(seconds * 1e9));
    if (!parts.contains(Part.LATENCY)
        && !parts.contains(Part.THROUGHPUT)
        && !parts.contains(Part.BATCHES)) {
      return;
    }
    try (Members echo = start("echo", "echo", scratch, setup);
        Members queue = start("queue", "queue", scratch, setup)) {
      ClusterComparison comparison = new ClusterComparison(queue, echo, valueBytes, ofRun);
      if (parts.contains(Part.LATENCY)) {
        comparison.add(new ClusterLoad("one command, on the leader", "alone", 1, true));
        comparison.add(new ClusterLoad("one command, on a follower", "alone", 1, false));
      }
      if (parts.contains(Part.THROUGHPUT)) {
        comparison.add(new ClusterLoad(inFlight + " in flight", "flood", inFlight, true));
      }
      if (parts.contains(Part.BATCHES)) {
        comparison.add(new ClusterLoad("tasks in batches of 100", "batches", BATCH_CALLERS, true));
      }
      comparison.warmUp(warmUps);
      long termId = queue.termId();
      comparison.measure(rounds);
      comparison.tell(report);
      report.figure("elections under load", queue.termId() - termId);
      Report.note("%d elections under load", queue.termId() - termId);
    }
  }
}
