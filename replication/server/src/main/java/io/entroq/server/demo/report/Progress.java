package io.entroq.server.demo.report;

import io.entroq.tools.terminal.Terminal;
import java.io.PrintWriter;

/** Shows how far the demo is. For one thread. */
public interface Progress extends AutoCloseable {
  /**
   * Shows that so many tasks are committed.
   *
   * @param committed at least 0
   * @param total above 0
   * @param phase what most workers are at, in a word
   * @param stages how far each stage is
   */
  void show(long committed, long total, String phase, String stages);

  @Override
  void close();

  /**
   * A bar on a terminal, lines elsewhere, nothing if it is not wanted.
   *
   * @param err where lines go; a bar goes to the error output itself
   */
  static Progress choose(boolean isWanted, PrintWriter err, long total) {
    if (!isWanted) {
      return SilentProgress.SILENT;
    }
    return Terminal.isAttached() ? new BarProgress(total) : new LineProgress(err);
  }
}
