package io.entroq.server.demo.report;

import io.entroq.tools.terminal.Terminal;
import java.io.PrintWriter;

/** Shows the progress of the demo. For one thread. */
public interface Progress extends AutoCloseable {
  /**
   * @param committed number of committed tasks
   * @param total number of tasks, at least 1
   * @param phase the current stage, in one word
   * @param stages the progress of each stage
   */
  void show(long committed, long total, String phase, String stages);

  @Override
  void close();

  /**
   * Returns a bar on a terminal, lines elsewhere, or no output if not wanted.
   *
   * @param err receives lines; a bar writes directly to the error output
   */
  static Progress choose(boolean isWanted, PrintWriter err, long total) {
    if (!isWanted) {
      return SilentProgress.SILENT;
    }
    return Terminal.isAttached() ? new BarProgress(total) : new LineProgress(err);
  }
}
