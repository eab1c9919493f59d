package io.entroq.server.bench;

import io.entroq.load.LoadConfig;
import io.entroq.load.LoadListener;
import io.entroq.tools.terminal.Terminal;
import java.io.PrintWriter;

/** Chooses how to show the progress of a run. */
public final class ProgressViews {
  private ProgressViews() {}

  /**
   * Returns a bar if the error output is a terminal, lines elsewhere, or no output if not wanted.
   *
   * @param err receives lines; a bar writes directly to the error output
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
