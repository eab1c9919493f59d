package io.entroq.perf.served;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;

/** A load on one server, by connections that stay open. */
final class LoopCycles implements Cycles {
  private final ServedLoad load;
  private final ServerProcess server;
  private final List<ClosedLoop> loops;

  /**
   * @param loops connections to the server, each of its own
   */
  LoopCycles(ServedLoad load, ServerProcess server, List<? extends ClosedLoop> loops) {
    this.load = load;
    this.server = server;
    this.loops = List.copyOf(loops);
  }

  @Override
  public Measured run(Duration warmUp, Duration duration) throws InterruptedException {
    loops.forEach(ClosedLoop::begin);
    Thread.sleep(warmUp.toMillis());
    final long startNs = System.nanoTime();
    final Duration processor = server.processorTime();
    long before = cycles();
    Thread.sleep(duration.toMillis());
    long cycles = cycles() - before;
    double seconds = (System.nanoTime() - startNs) / 1e9;
    double tasks = (double) cycles * load.batch();
    double processorUs = server.processorTime().minus(processor).toNanos() / 1e3;
    end();
    Histogram callNs = new Histogram(loops.get(0).callNs());
    for (ClosedLoop loop : loops) {
      callNs.add(loop.callNs());
    }
    return new Measured(
        tasks / seconds,
        processorUs / tasks,
        callNs.getValueAtPercentile(50) / 1e3,
        callNs.getValueAtPercentile(99) / 1e3);
  }

  private long cycles() {
    return loops.stream().mapToLong(ClosedLoop::cycles).sum();
  }

  private void end() throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(loops.size());
    for (ClosedLoop loop : loops) {
      loop.stop(ended::countDown);
    }
    ended.await();
    for (ClosedLoop loop : loops) {
      if (loop.failure() != null) {
        throw new IllegalStateException(load.name() + " went wrong", loop.failure());
      }
    }
  }
}
