package io.entroq.perf.served;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** A load on one server, by calls that are answered once: its connections stay open. */
final class UnaryCycles implements Cycles {
  private final Load load;
  private final ServerProcess server;
  private final List<CycleLoop> loops;

  UnaryCycles(Load load, Connections connections, ServerProcess server, int valueBytes) {
    this.load = load;
    this.server = server;
    this.loops =
        IntStream.range(0, load.connections())
            .mapToObj(
                i ->
                    new CycleLoop(
                        connections.connect(server.port()),
                        load.name() + " " + i,
                        load.batch(),
                        valueBytes))
            .toList();
  }

  @Override
  public Measured run(Duration warmUp, Duration duration) throws InterruptedException {
    loops.forEach(CycleLoop::begin);
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
    for (CycleLoop loop : loops) {
      callNs.add(loop.callNs());
    }
    return new Measured(
        tasks / seconds,
        processorUs / tasks,
        callNs.getValueAtPercentile(50) / 1e3,
        callNs.getValueAtPercentile(99) / 1e3);
  }

  private long cycles() {
    return loops.stream().mapToLong(CycleLoop::cycles).sum();
  }

  private void end() throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(loops.size());
    for (CycleLoop loop : loops) {
      loop.stop(ended::countDown);
    }
    ended.await();
    for (CycleLoop loop : loops) {
      if (loop.failure() != null) {
        throw new IllegalStateException(load.name() + " went wrong", loop.failure());
      }
    }
  }
}
