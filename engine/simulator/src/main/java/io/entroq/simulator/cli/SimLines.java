package io.entroq.simulator.cli;

import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A progress line after one second and then every five seconds, for a file or a pipe. */
final class SimLines implements SimView {
  private static final long FIRST_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long LATER_NS = TimeUnit.SECONDS.toNanos(5);

  private final PrintWriter err;
  private final long startNs = System.nanoTime();
  private long nextNs = FIRST_NS;

  SimLines(PrintWriter err) {
    this.err = err;
  }

  @Override
  public void running(SimulationReport soFar) {
    print(() -> SimText.progress(soFar, System.nanoTime() - startNs));
  }

  @Override
  public void shrinking(int worlds, WorldConfig smallest) {
    print(() -> SimText.shrinking(worlds, smallest));
  }

  private void print(Supplier<String> line) {
    long elapsedNs = System.nanoTime() - startNs;
    if (elapsedNs >= nextNs) {
      nextNs = elapsedNs + LATER_NS;
      err.printf("%4d s: %s%n", TimeUnit.NANOSECONDS.toSeconds(elapsedNs), line.get());
      err.flush();
    }
  }
}
