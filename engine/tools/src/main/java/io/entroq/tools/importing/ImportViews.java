package io.entroq.tools.importing;

import io.entroq.tools.terminal.Terminal;
import java.io.PrintWriter;

/** Chooses how to show the progress of an import. */
public final class ImportViews {
  private ImportViews() {}

  /**
   * A bar if standard error is a terminal, otherwise lines; nothing if progress is not wanted.
   *
   * @param err receives lines; a bar is drawn on standard error itself
   */
  public static ImportView choose(boolean isWanted, PrintWriter err) {
    if (!isWanted) {
      return ImportView.NONE;
    }
    return Terminal.isErrorAttached() ? new BarView() : new LineView(err, System::nanoTime);
  }
}
