package io.entroq.cluster.mirror;

import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.state.StateMachine;
import java.nio.file.Path;

/**
 * The mirror as the applying thread sees it. Nothing here waits for a disk, but where that is said;
 * and what goes wrong with a mirror is a warning, never the end of the member.
 */
public interface Mirror extends AutoCloseable {
  /** No mirror. */
  static Mirror none() {
    return NoMirror.INSTANCE;
  }

  /**
   * Opens the mirror in the directory of a member, and reads all that it holds. What is damaged is
   * set aside. Blocks.
   *
   * @param lock of the directory, held until this is closed
   */
  static Mirror open(Path directory, DirectoryLock lock, MirrorConfig config) {
    return config.isOn() ? MirrorOpener.open(directory, lock, config, ChronicleLog.RUNS) : none();
  }

  /**
   * Begins with a state; once, on the applying thread, on which all below are called if nothing
   * else is said.
   *
   * @return what is to be told of each record, before that is applied
   */
  CommandLog begin(StateMachine machine);

  /**
   * Does what is due, between two commands: it may freeze the state, and thaws what it has frozen.
   *
   * @return how much was done; 0: nothing
   */
  int doWork();

  /**
   * Lets go of the state for somebody else who is about to freeze it. A snapshot for which it is
   * still to be read, or is being read, is given up, which takes some milliseconds; another one is
   * taken later.
   */
  void yieldState();

  /** The cluster has taken a snapshot, of the state as it is now: here is to be one too. */
  void onSnapshot();

  /**
   * Lets go of the state for good, as it is about to be closed. The applying thread, or another
   * once that has ended; any number of times. Waits for the snapshot that is being written.
   *
   * @param isSound whether there is time to end that; else it is given up
   */
  void end(boolean isSound);

  /** The log time of the last record that was found; 0 if none. Any thread. */
  long foundLogTimeMs();

  /** In numbers; any thread, also when it is closed. */
  MirrorStats stats();

  /** Writes what is left in the queue, and ends. After {@link #end}; any thread. */
  @Override
  void close();
}
