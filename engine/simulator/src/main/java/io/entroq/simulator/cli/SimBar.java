package io.entroq.simulator.cli;

import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import io.entroq.tools.terminal.StatusBar;
import io.entroq.tools.terminal.WaitBar;

/** A progress bar on a terminal. */
final class SimBar implements SimView {
  /** The resolution of the bar: 0.01 %. */
  private static final long PARTS = 10_000;

  private final long startNs = System.nanoTime();
  private Runnable close = () -> {};
  private StatusBar running;
  private WaitBar shrinking;

  @Override
  public void running(SimulationReport soFar) {
    if (running == null) {
      running = new StatusBar(PARTS);
      close = running::close;
    }
    running.at(
        (long) (PARTS * soFar.hours() / soFar.config().hours()),
        SimText.progress(soFar, System.nanoTime() - startNs));
  }

  @Override
  public void shrinking(int worlds, WorldConfig smallest) {
    if (shrinking == null) {
      close.run();
      shrinking = WaitBar.ofItems("violated; shrinking", -1, "smaller worlds", true);
      close = shrinking::close;
    }
    shrinking.at(worlds);
  }

  @Override
  public void end() {
    close.run();
    close = () -> {};
  }
}
