package io.entroq.perf.served;

import io.entroq.load.async.AsyncLoop;
import io.entroq.load.async.AsyncRun;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.process.EchoComparison;
import io.entroq.perf.process.Run;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.tools.terminal.OptionRange;
import io.grpc.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares a served queue with an echo. */
@Command(
    name = "ServedQueue",
    description = "Measures what clients get from a server over loopback, compared with an echo.")
public final class ServedQueue extends BenchmarkCommand {
  private static final int BATCH = 100;
  private static final int WAITING_CLAIMS = 10_000;
  private static final Duration SETTLING = Duration.ofMillis(200);

  enum Part {
    UNARY,
    STREAM,
    BATCHES,
    DISK,
    MEMORY,
    LATENCY
  }

  private static final Set<Part> AT_OS = EnumSet.of(Part.UNARY, Part.STREAM, Part.BATCHES);

  @Option(names = "--quick", description = "Measures less, for orders of magnitude.")
  private boolean isQuick;

  @Option(names = "--parts", split = ",", description = "${COMPLETION-CANDIDATES}. Default: all.")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(names = "--rounds", description = "Rounds that count (9; with --quick 3).")
  private Optional<Integer> rounds = Optional.empty();

  @Option(
      names = "--warm-ups",
      description = "The most runs of each load before those (60; with --quick 4).")
  private Optional<Integer> warmUps = Optional.empty();

  @Option(names = "--value-bytes", description = "Length of values (${DEFAULT-VALUE}).")
  private int valueBytes = 120;

  @Option(names = "--client-threads", description = "Event loops of clients (${DEFAULT-VALUE}).")
  private int clientThreads = 1;

  @Option(
      names = "--beside",
      paramLabel = "JAR",
      description = "The benchmarks.jar of another build to compare with instead of the echo.")
  private Optional<String> beside = Optional.empty();

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private ServedQueue() {}

  public static void main(String[] args) {
    run(new ServedQueue(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    rounds.ifPresent(value -> OptionRange.require("--rounds", value, 1, 1_000));
    warmUps.ifPresent(value -> OptionRange.require("--warm-ups", value, 0, 1_000));
    try (scratch;
        Connections connections = new Connections(clientThreads)) {
      if (!Collections.disjoint(parts, AT_OS)) {
        compareAtOs(connections, report);
      }
      if (parts.contains(Part.DISK)) {
        compareAtDisk(connections, report);
      }
      if (parts.contains(Part.LATENCY)) {
        measureLatency(connections, report);
      }
      if (parts.contains(Part.MEMORY)) {
        try (ServerProcess server = ServerProcess.entroq(scratch.resolve("memory"), "os")) {
          new WaitingClaims(server, connections, WAITING_CLAIMS).measure(report);
          new PendingTasks(server, connections, isQuick ? 200_000 : 1_000_000).measure(report);
        }
      }
    }
  }

  private void compareAtOs(Connections connections, Report report) throws Exception {
    try (ServerProcess echo = echo();
        ServerProcess server = ServerProcess.entroq(scratch.resolve("os"), "os")) {
      Sides sides = new Sides(connections, server, echo);
      if (parts.contains(Part.UNARY)) {
        sides.addUnary("unary, 1 connection, os", 1, 1, 3_500);
        sides.addUnary("unary, 16 connections, os", 16, 1, 16_000);
      }
      if (parts.contains(Part.STREAM)) {
        sides.addStreams("8 streams, 1 in flight, os", 1, true, 20_000);
        sides.addStreams("8 streams, 64 in flight, os", 64, true, 80_000);
        sides.addStreams("8 streams, 64 in flight, os; echo message by message", 64, false, 80_000);
      }
      if (parts.contains(Part.BATCHES)) {
        sides.addUnary("batches, 8 connections, os", 8, BATCH, 330_000);
      }
      compare(sides.comparison, report);
    }
  }

  private void compareAtDisk(Connections connections, Report report) throws Exception {
    try (ServerProcess echo =
            beside.isEmpty()
                ? ServerProcess.echo(scratch.resolve("forced"))
                : ServerProcess.entroq(beside.get(), scratch.resolve("beside-disk"), "disk");
        ServerProcess server = ServerProcess.entroq(scratch.resolve("disk"), "disk")) {
      Sides sides = new Sides(connections, server, echo);
      sides.addUnary("unary, 16 connections, disk", 16, 1, 0);
      sides.addUnary("batches, 8 connections, disk", 8, BATCH, 215_000);
      compare(sides.comparison, report);
    }
  }

  private void compare(EchoComparison comparison, Report report) throws Exception {
    comparison.warmUp(warmUps());
    comparison.measure(rounds.orElse(isQuick ? 3 : 9));
    comparison.print(report);
  }

  private void measureLatency(Connections connections, Report report) throws Exception {
    try (ServerProcess server = ServerProcess.entroq(scratch.resolve("latency"), "os");
        ServerProcess echo = echo()) {
      Sides warmUp = new Sides(connections, server, echo);
      warmUp.addUnary("unary, 4 connections, os", 4, 1, 0);
      warmUp.comparison.warmUp(warmUps());
      int times = isQuick ? 150 : 1_000;
      new WakeUps(connections, server.port(), times)
          .measure(new WakeUps(connections, echo.port(), times), report);
    }
  }

  private int warmUps() {
    return warmUps.orElse(isQuick ? 4 : 60);
  }

  private ServerProcess echo() throws IOException {
    return beside.isEmpty()
        ? ServerProcess.echo()
        : ServerProcess.entroq(beside.get(), scratch.resolve("beside"), "os");
  }

  /** The loads on a server and its echo. */
  private final class Sides {
    private final Connections connections;
    private final ServerProcess server;
    private final ServerProcess echo;
    private final EchoComparison comparison;

    Sides(Connections connections, ServerProcess server, ServerProcess echo) {
      this.connections = connections;
      this.server = server;
      this.echo = echo;
      comparison = new EchoComparison("task", () -> server.compileTime().plus(echo.compileTime()));
    }

    void addUnary(String name, int count, int batch, int floor) {
      LoopFactory factory = (channel, queue) -> new UnaryLoop(channel, queue, batch, valueBytes);
      comparison.add(
          name,
          floor,
          load(server, name, count, batch, factory),
          load(echo, name, count, batch, factory));
    }

    void addStreams(String name, int inFlight, boolean isEchoBatching, int floor) {
      comparison.add(
          name,
          floor,
          load(server, name, 8, 1, streams(inFlight, true)),
          load(echo, name, 8, 1, streams(inFlight, isEchoBatching)));
    }

    private LoopFactory streams(int inFlight, boolean isBatching) {
      return (channel, queue) -> new StreamLoop(channel, queue, inFlight, isBatching, valueBytes);
    }

    private Callable<Run> load(
        ServerProcess target, String name, int count, int batch, LoopFactory factory) {
      List<AsyncLoop> loops = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        loops.add(factory.open(connections.connect(target.port()), name + " " + i));
      }
      return () -> run(target, loops, batch);
    }

    private Run run(ServerProcess target, List<AsyncLoop> loops, int batch)
        throws InterruptedException {
      AsyncRun run = new AsyncRun(loops);
      run.begin();
      Thread.sleep(SETTLING.toMillis());
      final long startNs = System.nanoTime();
      final Duration processor = target.processorTime();
      final long before = run.cycles();
      Thread.sleep(isQuick ? 700 : 1_000);
      double tasks = (double) (run.cycles() - before) * batch;
      double seconds = (System.nanoTime() - startNs) / 1e9;
      double processorUs = target.processorTime().minus(processor).toNanos() / 1e3;
      run.end();
      Histogram callNs = new Histogram(loops.get(0).callNs());
      loops.forEach(loop -> callNs.add(loop.callNs()));
      return new Run(
          tasks / seconds,
          processorUs / tasks,
          callNs.getValueAtPercentile(50) / 1e3,
          callNs.getValueAtPercentile(99) / 1e3);
    }
  }

  @FunctionalInterface
  private interface LoopFactory {
    AsyncLoop open(Channel channel, String queue);
  }
}
