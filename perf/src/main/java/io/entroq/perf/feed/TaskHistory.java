package io.entroq.perf.feed;

import io.entroq.api.TaskId;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.wire.IdKey;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.HistoryReader;
import io.entroq.engine.history.ReplayWatch;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.idfilter.IdFilterDirectory;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.perf.cycle.DrivenCycle;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how long the history of one task takes, in a log of some gigabytes. */
@Command(
    name = "TaskHistory",
    description = "Measures how long the history of one task takes in a large log.")
public final class TaskHistory extends BenchmarkCommand {
  private static final int VALUE_BYTES = 128;
  private static final int CYCLES_BETWEEN_CHECKS = 10_000;
  private static final long MEMORY_BYTES_MAX = 4L << 30;

  /** All of it. */
  private static final long KEPT_BYTES = 1L << 40;

  private static final double NS_PER_S = 1e9;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @Option(names = "--log-gib", description = "Log that is written, in GiB (${DEFAULT-VALUE}).")
  private int logGib = 10;

  @Option(names = "--pending", description = "Tasks that stay (${DEFAULT-VALUE}).")
  private int pending = 1_000_000;

  @Option(names = "--tasks", description = "Tasks of each kind (${DEFAULT-VALUE}).")
  private int tasks = 7;

  @Option(names = "--seed", description = "Chooses the tasks (${DEFAULT-VALUE}).")
  private long seed = 26;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  /** A table's rows by their names. */
  private final Table table = new Table("seconds", "least", "median", "greatest");

  private final List<IdKey> gone = new ArrayList<>();
  private final List<IdKey> alive = new ArrayList<>();

  private TaskHistory() {}

  public static void main(String[] args) {
    run(new TaskHistory(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    try (scratch) {
      Path directory = scratch.resolve("data");
      Report.note("writing %d GiB of log", logGib);
      write(directory);
      noteSizes(directory);
      measure(report, directory, "deleted long ago", gone);
      measure(report, directory, "alive", alive);
      measure(report, directory, "never existed", never());
      serve(report, directory, gone.get(0));
      Report.note("reading all of it once");
      double all = seconds(directory, List.of());
      table.row("all effects, for comparison", all, all, all);
      report.figure("all effects, s", all);
      table.print();
    }
  }

  private static EmbeddedConfig config(Path directory) {
    return EmbeddedConfig.in(directory).history(HistoryPolicy.ofBytes(KEPT_BYTES)).build();
  }

  private void write(Path directory) {
    long bytes = (long) logGib << 30;
    try (DrivenEngine engine = DrivenEngine.open(config(directory), (sequence, result) -> {})) {
      // Before the other, whose ids are those of later nanoseconds.
      DrivenCycle kept = new DrivenCycle(engine, "kept", VALUE_BYTES);
      DrivenCycle cycle = new DrivenCycle(engine, VALUE_BYTES);
      for (int i = 0; i < pending; i++) {
        cycle.insert();
      }
      long begun = engine.stats().appendedBytes();
      for (long at = begun; at < bytes; at = engine.stats().appendedBytes()) {
        for (int i = 0; i < CYCLES_BETWEEN_CHECKS; i++) {
          cycle.cycle();
        }
        // One of each kind in each part.
        if (gone.size() < tasks && at - begun >= (bytes - begun) / tasks * gone.size()) {
          gone.add(cycle.lastId());
          kept.insert();
          alive.add(kept.lastId());
        }
      }
    }
  }

  private List<IdKey> never() {
    List<IdKey> ids = new ArrayList<>();
    Random random = new Random(seed);
    for (int i = 0; i < tasks; i++) {
      ids.add(new IdKey(random.nextLong(), random.nextLong(), ""));
    }
    return ids;
  }

  private static void noteSizes(Path directory) throws IOException {
    for (String part : List.of("log", "snapshots", IdFilterDirectory.NAME)) {
      try (Stream<Path> walk = Files.walk(directory.resolve(part))) {
        List<Path> files = walk.filter(Files::isRegularFile).toList();
        long bytes = files.stream().mapToLong(file -> file.toFile().length()).sum();
        Report.note("%s: %d files, %,d MiB", part, files.size(), bytes >> 20);
      }
    }
  }

  private void measure(Report report, Path directory, String what, List<IdKey> ids) {
    Report.note("the history of %d tasks: %s", ids.size(), what);
    List<Double> seconds = new ArrayList<>();
    for (IdKey id : ids) {
      seconds.add(seconds(directory, List.of(id)));
    }
    Spread spread = Spread.of(seconds, each -> each);
    table.row(what, spread);
    report.figure(what + ", s", spread.toMap());
  }

  private static double seconds(Path directory, List<IdKey> ids) {
    long startNs = System.nanoTime();
    long startCpuNs = THREADS.getCurrentThreadCpuTime();
    Counter counter = new Counter();
    try (HistoryDirectory history =
        HistoryDirectory.open(directory, HolePolicy.REFUSE, "benchmark")) {
      StateAt states = new StateAt(history, MEMORY_BYTES_MAX, ReplayWatch.NONE);
      new HistoryReader(states, ids, false)
          .read(HistoryPoint.at(history.first()), HistoryPoint.END, counter);
    }
    double seconds = (System.nanoTime() - startNs) / NS_PER_S;
    double cpuSeconds = (THREADS.getCurrentThreadCpuTime() - startCpuNs) / NS_PER_S;
    Report.note(
        "%,d effects, last at step %,d, %.2f s, processor time %.2f s",
        counter.effects, counter.last, seconds, cpuSeconds);
    return seconds;
  }

  /** The same from the feed of an engine that runs. */
  private void serve(Report report, Path directory, IdKey id) throws InterruptedException {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(directory))) {
      FeedQuery query =
          FeedQuery.after(FeedPosition.after(queue.feed().kept().firstSequence() - 1))
              .until(FeedPosition.after(queue.feed().kept().lastSequence()))
              .ids(List.of(TaskId.of(id)))
              .build();
      long startNs = System.nanoTime();
      int effects = 0;
      try (FeedIterator feed = Feed.of(queue).iterator(query)) {
        while (feed.next().isPresent()) {
          effects++;
        }
      }
      double seconds = (System.nanoTime() - startNs) / NS_PER_S;
      Report.note("%,d effects from the feed", effects);
      table.row("deleted long ago, from the feed", seconds, seconds, seconds);
      report.figure("deleted long ago, from the feed, s", seconds);
    }
  }

  private static final class Counter implements EffectConsumer {
    private long effects;
    private long last;

    @Override
    public void onEffect(EffectReader effect) {
      effects++;
      last = effect.step().sequence();
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {}
  }
}
