package io.entroq.perf.disk;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.EngineStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Runs a churn on an engine, and samples the engine's directory meanwhile. */
final class DiskWatch {
  private final EmbeddedEntroQ queue;
  private final DiskUse use;
  private final long intervalMs;
  private final Consumer<DiskSample> listener;
  private final List<DiskSample> samples = new ArrayList<>();
  private final long startNs = System.nanoTime();

  /**
   * @param directory the engine's
   * @param intervalMs time between two samples
   * @param listener called with each sample
   */
  DiskWatch(EmbeddedEntroQ queue, Path directory, long intervalMs, Consumer<DiskSample> listener) {
    this.queue = queue;
    this.use = new DiskUse(directory);
    this.intervalMs = intervalMs;
    this.listener = listener;
  }

  /**
   * Samples until the churn is over, or until a sample exceeds the bound, which is then the last.
   *
   * @return all samples
   */
  List<DiskSample> watch(Churn churn) throws IOException, InterruptedException, ExecutionException {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Future<Void> churning = executor.submit(churn);
      while (sample(churn).isWithinBound() && !isDone(churning)) {
        // The next sample.
      }
      return samples;
    } finally {
      executor.shutdownNow();
      executor.awaitTermination(1, TimeUnit.MINUTES);
    }
  }

  private DiskSample sample(Churn churn) throws IOException, InterruptedException {
    // First, since live data may shrink while the directory is measured.
    EngineStats stats = queue.stats();
    DiskSample sample =
        new DiskSample(
            (System.nanoTime() - startNs) / 1e9,
            churn.phase(),
            use.blockBytes(),
            use.lengthBytes(),
            liveBytes(stats),
            stats.tasks());
    samples.add(sample);
    listener.accept(sample);
    return sample;
  }

  /** The engine updates it once per MiB of log, so not after the last deletes. */
  private static long liveBytes(EngineStats stats) {
    return stats.tasks() == 0 ? 0 : stats.liveBytes();
  }

  private boolean isDone(Future<Void> churning) throws InterruptedException, ExecutionException {
    try {
      churning.get(intervalMs, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }
}
