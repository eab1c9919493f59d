package io.entroq.perf.feed;

import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.ReplayWatch;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.engine.state.StateMachine;
import io.entroq.perf.cycle.DrivenCycle;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures how fast the feed of a running engine shows a log from its begin, and how long it takes
 * to restore the state as of steps of that log.
 */
@Command(
    name = "PastTime",
    description =
        "Measures how fast the feed catches up, and how long the state as of a step takes.")
public final class PastTime extends BenchmarkCommand {
  private static final int VALUE_BYTES = 128;
  private static final int COMMANDS_OF_CYCLE = 3;
  private static final long MEMORY_BYTES_MAX = 4L << 30;

  /** All of it. */
  private static final long KEPT_BYTES = 1L << 40;

  private static final double NS_PER_S = 1e9;

  @Option(
      names = "--commands",
      description = "Commands in the log, in millions (${DEFAULT-VALUE}).")
  private int millions = 30;

  @Option(names = "--pending", description = "Tasks that stay (${DEFAULT-VALUE}).")
  private int pending = 1_000_000;

  @Option(names = "--points", description = "Steps whose state is restored (${DEFAULT-VALUE}).")
  private int points = 7;

  @Option(names = "--seed", description = "Chooses the steps (${DEFAULT-VALUE}).")
  private long seed = 26;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private PastTime() {}

  public static void main(String[] args) {
    run(new PastTime(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    try (scratch) {
      Path directory = scratch.resolve("data");
      Report.note("writing %d million commands", millions);
      long last = write(directory);
      Table table = new Table("", "least", "median", "greatest");
      Report.note("restoring the state as of %d steps", points);
      Spread seconds = restore(directory, last);
      table.row("state as of a step, s", seconds);
      report.figure("state as of a step, s", seconds.toMap());
      Report.note("reading the feed from its begin");
      long perSecond = catchUp(directory, last);
      table.row("catching up, effects/s", perSecond, perSecond, perSecond);
      report.figure("catching up, effects/s", perSecond);
      table.print();
    }
  }

  private static EmbeddedConfig config(Path directory) {
    return EmbeddedConfig.in(directory).history(HistoryPolicy.ofBytes(KEPT_BYTES)).build();
  }

  /** Returns the last step. */
  private long write(Path directory) {
    try (DrivenEngine engine = DrivenEngine.open(config(directory), (sequence, result) -> {})) {
      DrivenCycle cycle = new DrivenCycle(engine, VALUE_BYTES);
      for (int i = 0; i < pending; i++) {
        cycle.insert();
      }
      long cycles = (millions * 1_000_000L - pending) / COMMANDS_OF_CYCLE;
      for (long i = 0; i < cycles; i++) {
        cycle.cycle();
      }
      return engine.sequence();
    }
  }

  private Spread restore(Path directory, long last) {
    Random random = new Random(seed);
    List<Double> seconds = new ArrayList<>();
    try (HistoryDirectory history =
        HistoryDirectory.open(directory, HolePolicy.REFUSE, "benchmark")) {
      StateAt states = new StateAt(history, MEMORY_BYTES_MAX, ReplayWatch.NONE);
      long first = Math.max(1, history.first());
      Report.note("steps %,d to %,d are kept", first, last);
      for (int i = 0; i < points; i++) {
        long step = first + (long) (random.nextDouble() * (last - first));
        long startNs = System.nanoTime();
        try (StateMachine state = states.open(HistoryPoint.at(step))) {
          seconds.add((System.nanoTime() - startNs) / NS_PER_S);
          Report.note("step %,d: %,d tasks, %.2f s", step, state.taskCount(), seconds.get(i));
        }
      }
    }
    return Spread.of(seconds, each -> each);
  }

  private static long catchUp(Path directory, long last) throws InterruptedException {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(directory))) {
      long first = queue.feed().kept().firstSequence();
      FeedQuery query =
          FeedQuery.after(FeedPosition.after(first - 1)).until(FeedPosition.after(last)).build();
      long startNs = System.nanoTime();
      long effects = 0;
      try (FeedIterator feed = Feed.of(queue).iterator(query)) {
        while (feed.next().isPresent()) {
          effects++;
        }
      }
      double seconds = (System.nanoTime() - startNs) / NS_PER_S;
      Report.note("%,d effects in %.1f s, from step %,d", effects, seconds, first);
      return Math.round(effects / seconds);
    }
  }
}
