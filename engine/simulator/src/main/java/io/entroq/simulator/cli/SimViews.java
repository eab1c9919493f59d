package io.entroq.simulator.cli;

import io.entroq.tools.terminal.Terminal;
import java.io.PrintWriter;

/** Chooses how to show the progress of a run. */
final class SimViews {
  private SimViews() {}

  /**
   * A progress bar if standard error is a terminal, else lines; nothing if not wanted.
   *
   * @param err for lines; the bar writes to standard error itself
   */
  static SimView choose(boolean isWanted, PrintWriter err) {
    if (!isWanted) {
      return SimView.NONE;
    }
    return Terminal.isErrorAttached() ? new SimBar() : new SimLines(err);
  }
}
