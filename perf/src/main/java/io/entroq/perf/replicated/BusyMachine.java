package io.entroq.perf.replicated;

import io.entroq.engine.Closing;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import io.entroq.tools.terminal.OptionRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Counts the elections of a cluster on a machine that has more to do than it can. */
@Command(
    name = "BusyMachine",
    description =
        "Puts a load on three members beside busy loops or a command, counts elections, and then ends"
            + " leaders.")
public final class BusyMachine extends BenchmarkCommand {
  private static final List<String> THREADS =
      List.of("consensus module", "media driver", "archive", "service container");

  /** After the load, its last commands may wait for a leader. */
  private static final int END_SECONDS_MAX = 60;

  private static final double US_PER_MS = 1e3;

  @Option(names = "--seconds", description = "Seconds of load (${DEFAULT-VALUE}).")
  private int seconds = 120;

  @Option(names = "--busy", description = "Busy loops beside the members (${DEFAULT-VALUE}).")
  private int busy = 48;

  @Option(
      names = "--beside",
      paramLabel = "COMMAND",
      description = "A shell command to run beside the members, repeated when it ends.")
  private Optional<String> beside = Optional.empty();

  @Option(names = "--in-flight", description = "Concurrent commands (${DEFAULT-VALUE}).")
  private int inFlight = 16;

  @Option(names = "--value-bytes", description = "Length of values (${DEFAULT-VALUE}).")
  private int valueBytes = 128;

  @Option(names = "--kills", description = "How many leaders are killed (${DEFAULT-VALUE}).")
  private int kills = 5;

  @Option(names = "--leaves", description = "How many leaders end in order (${DEFAULT-VALUE}).")
  private int leaves;

  @Option(
      names = "--stops",
      description = "How often the leader is stopped and goes on (${DEFAULT-VALUE}).")
  private int stops;

  @Option(
      names = "--stop-ms",
      description = "For how many milliseconds it is stopped (${DEFAULT-VALUE}).")
  private int stopMs = 400;

  @Mixin private final MemberOptions options = new MemberOptions();
  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private BusyMachine() {}

  public static void main(String[] args) {
    run(new BusyMachine(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    OptionRange.require("--seconds", seconds, 1, 100_000);
    OptionRange.require("--busy", busy, 0, 10_000);
    OptionRange.require("--in-flight", inFlight, 1, 4_096);
    OptionRange.require("--value-bytes", valueBytes, 0, 10_000);
    OptionRange.require("--kills", kills, 0, 10_000);
    OptionRange.require("--leaves", leaves, 0, 10_000);
    OptionRange.require("--stops", stops, 0, 10_000);
    OptionRange.require("--stop-ms", stopMs, 1, 60_000);
    options.check();
    try (scratch;
        Members members =
            Members.start(
                "queue", scratch.path(), options, id -> Redirect.appendTo(log(id).toFile()))) {
      List<AutoCloseable> others = new ArrayList<>();
      try {
        if (busy > 0) {
          others.add(BusyLoops.start(busy));
        }
        beside.ifPresent(command -> others.add(new RepeatedCommand(command)));
        load(members, report);
        if (stops > 0 && !report.hasFailed()) {
          new Stops(members).measure(stops, Duration.ofMillis(stopMs), report);
        }
        if (leaves > 0 && !report.hasFailed()) {
          new Failover(members).measure(Failover.End.LEAVE, leaves, report);
        }
        if (kills > 0 && !report.hasFailed()) {
          new Failover(members).measure(Failover.End.KILL, kills, report);
        }
      } finally {
        Closing.all(others.toArray(AutoCloseable[]::new));
      }
    }
  }

  private Path log(int id) {
    return scratch.resolve("member-" + id + ".log");
  }

  private void load(Members members, Report report) throws IOException, InterruptedException {
    int[] from = new int[Members.COUNT];
    for (int id = 0; id < Members.COUNT; id++) {
      from[id] = MemberLog.length(log(id));
    }
    int leader = members.leader();
    long termId = members.termId();
    MemberProcess caller = members.member(Members.follower(leader));
    Report.note("load begins in term %d, load average %s", termId, loadAverage());
    caller.send("flood %d %d %d".formatted(seconds * 1_000L, valueBytes, inFlight));
    Optional<Outcome> outcome = awaitOutcome(caller);
    Report.note("load has ended, load average %s", loadAverage());
    final long terms = members.member(leader).position().termId() - termId;
    report.figure("terms", terms);
    outcome.ifPresentOrElse(
        answered -> reportCalls(answered, report),
        () -> report.fail("commands of the load still waited after a minute"));
    reportLogs(from, report);
  }

  /** Empty if the load does not end: commands wait for a leader. */
  private Optional<Outcome> awaitOutcome(MemberProcess caller) {
    CompletableFuture<Outcome> outcome =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Outcome.parse(caller.awaitAnswer());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return Optional.ofNullable(
        outcome.completeOnTimeout(null, seconds + END_SECONDS_MAX, TimeUnit.SECONDS).join());
  }

  private static void reportCalls(Outcome outcome, Report report) {
    Table table = new Table("load", "commands/s", "p50, ms", "p99, ms", "longest, ms");
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("perSecond", outcome.perSecond());
    figures.put("p50Ms", outcome.p50Us() / US_PER_MS);
    figures.put("p99Ms", outcome.p99Us() / US_PER_MS);
    figures.put("longestMs", outcome.longestUs() / US_PER_MS);
    List<Object> row = new ArrayList<>(List.of("commands"));
    row.addAll(figures.values());
    table.row(row.toArray());
    table.print();
    report.figure("load", figures);
  }

  private void reportLogs(int[] from, Report report) throws IOException {
    List<String> headings = new ArrayList<>(List.of("member", "elections", "failures to join"));
    THREADS.forEach(thread -> headings.add("longest stall, " + thread + ", ms"));
    Table table = new Table(headings.toArray(String[]::new));
    int elections = 0;
    for (int id = 0; id < Members.COUNT; id++) {
      MemberLog log = MemberLog.read(log(id), from[id]);
      List<Object> row = new ArrayList<>(List.of(id, log.elections(), log.failures()));
      THREADS.forEach(thread -> row.add(log.stallMs().getOrDefault(thread, 0L)));
      table.row(row.toArray());
      elections += log.elections();
      log.lines().forEach(System.out::println);
    }
    table.print();
    report.figure("elections", elections);
  }

  private static String loadAverage() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
  }
}
