package io.entroq.server.bench.report;

import io.entroq.server.bench.BenchConfig;
import io.entroq.server.bench.BenchView;
import io.entroq.tools.terminal.Terminal;
import java.io.PrintWriter;

/** What is shown of a run while it goes on. */
public final class Views {
  private Views() {}

  /**
   * A line that changes in its place if the error output is a terminal, lines elsewhere, nothing if
   * it is not wanted.
   *
   * @param err where lines go; what changes in its place goes to the error output itself
   */
  public static BenchView choose(boolean isWanted, BenchConfig config, PrintWriter err) {
    if (!isWanted) {
      return BenchView.NONE;
    }
    return Terminal.isErrorAttached()
        ? new BarView(config.warmUp().plus(config.duration()))
        : new LineView(err);
  }
}
