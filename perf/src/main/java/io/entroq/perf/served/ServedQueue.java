package io.entroq.perf.served;

import io.entroq.load.async.AsyncLoop;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Report;
import io.entroq.tools.terminal.OptionRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures a served queue beside a bare echo. */
@Command(
    name = "ServedQueue",
    description = "What clients get from a server over loopback, beside a bare echo.",
    mixinStandardHelpOptions = true)
public final class ServedQueue implements Callable<Integer> {
  private static final int BATCH = 100;

  /** What can be measured. */
  enum Part {
    UNARY,
    STREAM,
    BATCHES,
    DISK,
    MEMORY,
    LATENCY
  }

  @Option(names = "--quick", description = "Less of everything: tells orders of magnitude.")
  private boolean isQuick;

  @Option(names = "--parts", split = ",", description = "${COMPLETION-CANDIDATES}. Default: all.")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(names = "--rounds", description = "Rounds that count, if other than usual.")
  private Optional<Integer> rounds = Optional.empty();

  @Option(
      names = "--warm-ups",
      description = "How often at most each load is put on at first, if other than usual.")
  private Optional<Integer> warmUps = Optional.empty();

  @Option(names = "--value-bytes", description = "How long values are (${DEFAULT-VALUE}).")
  private int valueBytes = 120;

  @Option(names = "--client-threads", description = "Event loops of clients (${DEFAULT-VALUE}).")
  private int clientThreads = 1;

  @Option(
      names = "--beside",
      paramLabel = "JAR",
      description = "Another build of this, to be compared with instead of the echo.")
  private Optional<String> beside = Optional.empty();

  @Option(names = "--directory", description = "Where the logs are; by default temporary.")
  private Optional<Path> directory = Optional.empty();

  private RunLengths lengths;

  private ServedQueue() {}

  /** Runs the measurement. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new ServedQueue()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    lengths = isQuick ? RunLengths.QUICK : RunLengths.WHOLE;
    if (rounds.isPresent()) {
      OptionRange.require("--rounds", rounds.get(), 1, 1_000);
      lengths = lengths.with(rounds.get());
    }
    if (warmUps.isPresent()) {
      OptionRange.require("--warm-ups", warmUps.get(), 0, 1_000);
      lengths = lengths.withWarmUps(warmUps.get());
    }
    Report report =
        new Report(ServedQueue.class)
            .setting("valueBytes", valueBytes)
            .setting("clientThreads", clientThreads)
            .setting("rounds", lengths.rounds())
            .setting("warmUpsMax", lengths.warmUps())
            .setting("runMs", lengths.ofRun().toMillis());
    report.begin();
    try (ScratchDirectory scratch = ScratchDirectory.of(directory);
        Connections connections = new Connections(clientThreads)) {
      if (parts.contains(Part.UNARY)
          || parts.contains(Part.STREAM)
          || parts.contains(Part.BATCHES)) {
        compare(scratch, connections, report);
      }
      if (parts.contains(Part.DISK)) {
        compareAtDisk(scratch, connections, report);
      }
      if (parts.contains(Part.MEMORY) || parts.contains(Part.LATENCY)) {
        look(scratch, connections, report);
      }
    }
    report.end();
    return 0;
  }

  private void compare(ScratchDirectory scratch, Connections connections, Report report)
      throws IOException, InterruptedException {
    try (ServerProcess echo = ceiling(scratch);
        ServerProcess os = ServerProcess.entroq(scratch.resolve("os"), "os")) {
      EchoComparison comparison = new EchoComparison(lengths, new WarmUp(List.of(echo, os)));
      if (parts.contains(Part.UNARY)) {
        addUnary(
            comparison,
            new ServedLoad("unary, 1 connection, os", 1, 1, 3_500),
            connections,
            os,
            echo);
        addUnary(
            comparison,
            new ServedLoad("unary, 16 connections, os", 16, 1, 16_000),
            connections,
            os,
            echo);
      }
      if (parts.contains(Part.STREAM)) {
        ServedLoad one = new ServedLoad("8 streams, 1 in flight, os", 8, 1, 20_000);
        addStream(comparison, one, 1, true, connections, os, echo);
        ServedLoad many = new ServedLoad("8 streams, 64 in flight, os", 8, 1, 80_000);
        addStream(comparison, many, 64, true, connections, os, echo);
        ServedLoad alone =
            new ServedLoad("8 streams, 64 in flight, os; echo message by message", 8, 1, 80_000);
        addStream(comparison, alone, 64, false, connections, os, echo);
      }
      if (parts.contains(Part.BATCHES)) {
        ServedLoad batches = new ServedLoad("batches, 8 connections, os", 8, BATCH, 330_000);
        addUnary(comparison, batches, connections, os, echo);
      }
      comparison.run();
      comparison.tell(report);
    }
  }

  private void compareAtDisk(ScratchDirectory scratch, Connections connections, Report report)
      throws IOException, InterruptedException {
    try (ServerProcess echo = ceilingAtDisk(scratch);
        ServerProcess disk = ServerProcess.entroq(scratch.resolve("disk"), "disk")) {
      EchoComparison comparison = new EchoComparison(lengths, new WarmUp(List.of(echo, disk)));
      ServedLoad single = new ServedLoad("unary, 16 connections, disk", 16, 1, 0);
      addUnary(comparison, single, connections, disk, echo);
      ServedLoad batches = new ServedLoad("batches, 8 connections, disk", 8, BATCH, 215_000);
      addUnary(comparison, batches, connections, disk, echo);
      comparison.run();
      comparison.tell(report);
    }
  }

  private ServerProcess ceiling(ScratchDirectory scratch) throws IOException {
    return beside.isEmpty()
        ? ServerProcess.echo()
        : ServerProcess.entroq(beside.get(), scratch.resolve("beside"), "os");
  }

  private ServerProcess ceilingAtDisk(ScratchDirectory scratch) throws IOException {
    return beside.isEmpty()
        ? ServerProcess.echo(scratch.resolve("forced"))
        : ServerProcess.entroq(beside.get(), scratch.resolve("beside-disk"), "disk");
  }

  private void addUnary(
      EchoComparison comparison,
      ServedLoad load,
      Connections connections,
      ServerProcess ours,
      ServerProcess echo) {
    comparison.add(load, unary(load, connections, ours), unary(load, connections, echo));
  }

  private LoopCycles unary(ServedLoad load, Connections connections, ServerProcess server) {
    List<AsyncLoop> loops = new ArrayList<>();
    for (int i = 0; i < load.connections(); i++) {
      loops.add(
          new UnaryLoop(
              connections.connect(server.port()), load.name() + " " + i, load.batch(), valueBytes));
    }
    return new LoopCycles(load, server, loops);
  }

  private void addStream(
      EchoComparison comparison,
      ServedLoad load,
      int inFlight,
      boolean isEchoBatching,
      Connections connections,
      ServerProcess ours,
      ServerProcess echo) {
    comparison.add(
        load,
        stream(load, inFlight, true, connections, ours),
        stream(load, inFlight, isEchoBatching, connections, echo));
  }

  private LoopCycles stream(
      ServedLoad load,
      int inFlight,
      boolean isBatching,
      Connections connections,
      ServerProcess server) {
    List<AsyncLoop> loops = new ArrayList<>();
    for (int i = 0; i < load.connections(); i++) {
      loops.add(
          new StreamLoop(
              connections.connect(server.port()),
              load.name() + " " + i,
              inFlight,
              isBatching,
              valueBytes));
    }
    return new LoopCycles(load, server, loops);
  }

  private void look(ScratchDirectory scratch, Connections connections, Report report)
      throws IOException, InterruptedException, ExecutionException {
    try (ServerProcess ours = ServerProcess.entroq(scratch.resolve("looked-at"), "os")) {
      if (parts.contains(Part.LATENCY)) {
        try (ServerProcess echo = ceiling(scratch)) {
          // A server that has just begun still compiles its code beside every request.
          EchoComparison warmth = new EchoComparison(lengths, new WarmUp(List.of(ours, echo)));
          addUnary(
              warmth, new ServedLoad("unary, 4 connections, os", 4, 1, 0), connections, ours, echo);
          warmth.warmUp();
          WakeUps ceiling = new WakeUps(connections, echo.port(), lengths);
          new WakeUps(connections, ours.port(), lengths).measure(ceiling, report);
        }
      }
      if (parts.contains(Part.MEMORY)) {
        new WaitingClaims(ours, connections, lengths).measure(report);
        new PendingTasks(ours, connections, lengths).measure(report);
      }
    }
  }
}
