package io.entroq.perf.served;

import io.entroq.load.async.AsyncRun;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.process.JavaProcess;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import io.entroq.tools.terminal.OptionRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How fast a server is in the seconds after it says that it is ready. The client is warm: it has
 * driven another server before, and that server's rate at the end is the warm rate.
 */
@Command(
    name = "WarmStart",
    description = "Measures the rate of a server in the first seconds after it is ready.")
public final class WarmStart extends BenchmarkCommand {
  private static final long SECOND_NS = 1_000_000_000;

  @Option(names = "--connections", description = "Connections (${DEFAULT-VALUE}).")
  private int connectionCount = 16;

  @Option(names = "--warm-seconds", description = "Load on the warm server (${DEFAULT-VALUE}).")
  private int warmSeconds = 40;

  @Option(names = "--seconds", description = "Load on each fresh server (${DEFAULT-VALUE}).")
  private int seconds = 10;

  @Option(names = "--rounds", description = "Fresh servers (${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--server",
      paramLabel = "JAR",
      description = "The benchmarks.jar of another build to measure. Default: this build.")
  private Optional<String> jar = Optional.empty();

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private WarmStart() {}

  public static void main(String[] args) {
    run(new WarmStart(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    OptionRange.require("--connections", connectionCount, 1, 1_000);
    OptionRange.require("--warm-seconds", warmSeconds, 5, 3_600);
    OptionRange.require("--seconds", seconds, 5, 3_600);
    OptionRange.require("--rounds", rounds, 1, 100);
    try (scratch) {
      List<Long> warm = start("warm", warmSeconds).perSecond();
      double warmRate =
          warm.subList(warm.size() - 5, warm.size()).stream()
              .mapToLong(rate -> rate)
              .average()
              .orElseThrow();
      List<String> headings = new ArrayList<>(List.of("start", "ready after ms"));
      for (int i = 1; i <= seconds; i++) {
        headings.add("s " + i);
      }
      Table table = new Table(headings.toArray(String[]::new));
      List<Double> shares = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        Start fresh = start("fresh" + round, seconds);
        List<Object> row = new ArrayList<>(List.of(round + 1, fresh.readyMs()));
        row.addAll(fresh.perSecond());
        table.row(row.toArray());
        shares.add(fresh.perSecond().get(4) / warmRate);
      }
      table.print();
      System.out.printf("warm: %.0f cycles/s; in the fifth second: %s of it%n", warmRate, shares);
      report.figure("warm", warmRate).figure("fifthSecondShares", shares);
    }
  }

  /** Starts a server, drives it, and closes it. */
  private Start start(String name, int loadSeconds) throws IOException, InterruptedException {
    long startNs = System.nanoTime();
    try (ServerProcess server =
            ServerProcess.entroq(jar.orElse(JavaProcess.CLASS_PATH), scratch.resolve(name), "os");
        Connections connections = new Connections(1)) {
      long readyMs = (System.nanoTime() - startNs) / 1_000_000;
      List<UnaryLoop> loops = new ArrayList<>();
      for (int i = 0; i < connectionCount; i++) {
        loops.add(new UnaryLoop(connections.connect(server.port()), "queue " + i, 1, 120));
      }
      AsyncRun run = new AsyncRun(loops);
      run.begin();
      List<Long> perSecond = new ArrayList<>();
      long before = 0;
      long beganNs = System.nanoTime();
      for (int i = 1; i <= loadSeconds; i++) {
        long leftNs = beganNs + i * SECOND_NS - System.nanoTime();
        Thread.sleep(Math.max(0, leftNs / 1_000_000));
        long cycles = run.cycles();
        perSecond.add(cycles - before);
        before = cycles;
      }
      run.end();
      return new Start(readyMs, perSecond);
    }
  }

  /**
   * A server's start.
   *
   * @param readyMs milliseconds from the start of the process until it says that it is ready
   * @param perSecond cycles in each second after that
   */
  private record Start(long readyMs, List<Long> perSecond) {}
}
