package io.entroq.perf.served;

import io.entroq.load.async.AsyncLoop;
import io.entroq.load.async.AsyncRun;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A load on one server, by connections that stay open, to be put on it time and again. */
final class LoopCycles {
  private final ServedLoad load;
  private final ServerProcess server;
  private final List<AsyncLoop> loops;

  /**
   * @param loops connections to the server, each of its own
   */
  LoopCycles(ServedLoad load, ServerProcess server, List<? extends AsyncLoop> loops) {
    this.load = load;
    this.server = server;
    this.loops = List.copyOf(loops);
  }

  /**
   * Puts it on for a while.
   *
   * @param warmUp at first, which does not count
   */
  Measured run(Duration warmUp, Duration duration) throws InterruptedException {
    AsyncRun run = new AsyncRun(loops);
    run.begin();
    Thread.sleep(warmUp.toMillis());
    final long startNs = System.nanoTime();
    final Duration processor = server.processorTime();
    long before = run.cycles();
    Thread.sleep(duration.toMillis());
    long cycles = run.cycles() - before;
    double seconds = (System.nanoTime() - startNs) / 1e9;
    double tasks = (double) cycles * load.batch();
    double processorUs = server.processorTime().minus(processor).toNanos() / 1e3;
    run.end();
    Histogram callNs = new Histogram(loops.get(0).callNs());
    for (AsyncLoop loop : loops) {
      callNs.add(loop.callNs());
    }
    return new Measured(
        tasks / seconds,
        processorUs / tasks,
        callNs.getValueAtPercentile(50) / 1e3,
        callNs.getValueAtPercentile(99) / 1e3);
  }
}
