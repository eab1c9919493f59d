package io.entroq.server.log;

import io.entroq.engine.backup.BackupProgress;
import io.entroq.server.terminal.Terminal;

/** Shows how far a backup or a restore is: one bar for each phase. */
public final class CopyProgress implements BackupProgress, AutoCloseable {
  private ReadingProgress bar;
  private String phase = "";
  private long total;

  @Override
  public void at(String newPhase, long doneBytes, long totalBytes) {
    if (!newPhase.equals(phase) || totalBytes != total) {
      close();
      phase = newPhase;
      total = totalBytes;
      bar = new ReadingProgress(phase, totalBytes, Terminal.isErrorAttached());
    }
    bar.at(doneBytes);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
