package io.entroq.server.bench;

import io.entroq.load.LoadConfig;
import io.entroq.load.LoadListener;
import io.entroq.tools.terminal.Terminal;
import java.io.PrintWriter;

/** What is shown of a run while it goes on. */
public final class ProgressViews {
  private ProgressViews() {}

  /**
   * A line that changes in its place if the error output is a terminal, lines elsewhere, nothing if
   * it is not wanted.
   *
   * @param err where lines go; what changes in its place goes to the error output itself
   */
  public static LoadListener choose(boolean isWanted, LoadConfig config, PrintWriter err) {
    if (!isWanted) {
      return LoadListener.NONE;
    }
    return Terminal.isErrorAttached()
        ? new BarProgressView(config.warmUp().plus(config.duration()))
        : new LineProgressView(err);
  }
}
