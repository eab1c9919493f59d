package io.entroq.tools.log;

import io.entroq.engine.backup.BackupProgress;
import io.entroq.tools.terminal.Terminal;
import io.entroq.tools.terminal.WaitBar;

/** Shows the progress of a backup or restore, with a bar for each phase. */
public final class CopyProgress implements BackupProgress, AutoCloseable {
  private WaitBar bar;
  private String phase = "";
  private long total;

  @Override
  public void at(String newPhase, long doneBytes, long totalBytes) {
    if (!newPhase.equals(phase) || totalBytes != total) {
      finish();
      phase = newPhase;
      total = totalBytes;
      bar = WaitBar.ofBytes(phase, totalBytes, Terminal.isErrorAttached());
    }
    bar.at(doneBytes);
  }

  /** Removes the bar before something else is printed. */
  public void finish() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }

  @Override
  public void close() {
    finish();
  }
}
