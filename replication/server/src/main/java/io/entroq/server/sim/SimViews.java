package io.entroq.server.sim;

import io.entroq.tools.terminal.Terminal;
import java.io.PrintWriter;

/** What is shown of a hunt while it goes on. */
public final class SimViews {
  private SimViews() {}

  /**
   * A line that changes in its place if the error output is a terminal, lines elsewhere, nothing if
   * it is not wanted.
   *
   * @param err where lines go; what changes in its place goes to the error output itself
   */
  public static SimView choose(boolean isWanted, PrintWriter err) {
    if (!isWanted) {
      return SimView.NONE;
    }
    return Terminal.isErrorAttached() ? new SimBar() : new SimLines(err);
  }
}
