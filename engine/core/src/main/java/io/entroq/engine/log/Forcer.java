package io.entroq.engine.log;

import java.io.IOException;

/**
 * Forces bytes to the disk; tests replace it to delay, count or fail forces. Called on the thread
 * that forces the log and on the thread that writes snapshots.
 */
@FunctionalInterface
public interface Forcer {
  Forcer DISK = (what, action) -> action.run();

  /**
   * Runs the action, which returns when the bytes are on the disk.
   *
   * @param what the file or directory, for messages
   * @throws IOException if the bytes may not be on the disk
   */
  void force(String what, Action action) throws IOException;

  /** The system call itself. */
  @FunctionalInterface
  interface Action {
    void run() throws IOException;
  }
}
