package io.entroq.tools.importing;

import io.entroq.tools.terminal.Terminal;
import java.io.PrintWriter;

/** What is shown of an import while it goes on. */
public final class ImportViews {
  private ImportViews() {}

  /**
   * A bar if the error output is a terminal, lines elsewhere, nothing if it is not wanted.
   *
   * @param err where lines go; a bar goes to the error output itself
   */
  public static ImportView choose(boolean isWanted, PrintWriter err) {
    if (!isWanted) {
      return ImportView.NONE;
    }
    return Terminal.isErrorAttached() ? new BarView() : new LineView(err, System::nanoTime);
  }
}
