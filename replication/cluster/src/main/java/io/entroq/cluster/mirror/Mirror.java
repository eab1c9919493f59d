package io.entroq.cluster.mirror;

import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.image.PendingImage;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.state.StateMachine;
import java.nio.file.Path;

/**
 * A mirror of the log, as the applying thread uses it. No method waits for a disk, unless noted
 * otherwise. A failure of the mirror is a warning and never ends the member.
 */
public interface Mirror extends AutoCloseable {
  /** No mirror. */
  static Mirror none() {
    return NoMirror.INSTANCE;
  }

  /**
   * Opens the mirror in a member's directory and reads all its content, except images that it
   * shares: the member reads the newest itself. Sets damaged content aside. Blocks.
   *
   * @param images of the member
   * @param lock of the directory, held until the mirror is closed
   */
  static Mirror open(Path directory, DirectoryLock lock, ImageStore images, MirrorConfig config) {
    return config.isOn()
        ? MirrorOpener.open(directory, lock, images, config, ChronicleLog.RUNS)
        : none();
  }

  /**
   * Starts with a state. Called once, on the applying thread, as are all methods below unless noted
   * otherwise.
   *
   * @return the log to append each record to before it is applied
   */
  CommandLog begin(StateMachine machine);

  /**
   * Does pending work between two commands. May freeze the state, and thaws it when it has been
   * read.
   *
   * @return amount of work done
   */
  int doWork();

  /**
   * Releases the state for another snapshot that is about to freeze it. Abandons a mirror snapshot
   * that is still to be read or being read, within milliseconds; it is taken later.
   */
  void yieldState();

  /**
   * The cluster has taken a snapshot of the current state, so the mirror takes one too.
   *
   * @param image that the snapshot refers to, which the mirror shares; null if it has none
   */
  void onSnapshot(PendingImage image);

  /**
   * Releases the state before it is closed. On the applying thread, or another one after that has
   * ended; any number of times. Waits for a snapshot that is being written.
   *
   * @param isSound whether to complete that snapshot; otherwise it is abandoned
   */
  void end(boolean isSound);

  /** The log time of the last record found at the start; 0 if there is none. Any thread. */
  long foundLogTimeMs();

  /** Statistics. Any thread, also after the mirror is closed. */
  MirrorStats stats();

  /** Writes the rest of the queue and ends. Called after {@link #end}; any thread. */
  @Override
  void close();
}
