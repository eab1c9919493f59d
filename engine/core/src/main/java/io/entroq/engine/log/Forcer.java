package io.entroq.engine.log;

import java.io.IOException;

/**
 * How bytes are forced to the disk: the seam at which a test delays, counts or fails forces.
 *
 * <p>Called on the thread that forces the log and on the one that writes snapshots.
 */
@FunctionalInterface
public interface Forcer {
  /** Forces at once. */
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
