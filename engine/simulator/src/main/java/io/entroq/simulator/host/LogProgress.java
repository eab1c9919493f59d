package io.entroq.simulator.host;

import io.entroq.simulator.disk.SimulatedDisk;

/**
 * How far the log of one machine has come, over all lives of its engines, and whether it marks its
 * own end. One thread.
 */
final class LogProgress {
  /** What says where a log has ended that was closed in order. */
  private static final String MARK = EngineHost.DIRECTORY + "/closed";

  private final SimulatedDisk disk;
  private long found;
  private long appended;
  private long appendedTimeMs = Long.MIN_VALUE;
  private long forced;

  /** The record that the mark of an orderly end names; 0 if there is none that can be read. */
  private long marked;

  LogProgress(SimulatedDisk disk) {
    this.disk = disk;
  }

  /** An engine has found the log up to this record, and all of that is on the disk. */
  void onFound(long sequence) {
    found = sequence;
    appended = sequence;
    forced = sequence;
  }

  /** A record was appended. */
  void onRecord(long sequence, long logTimeMs) {
    appended = sequence;
    appendedTimeMs = logTimeMs;
    marked = 0;
  }

  /** So much is forced, as far as the engine knows. */
  void onForced(long sequence) {
    forced = sequence;
  }

  /** The engine was closed in order. */
  void onClosed() {
    forced = appended;
    marked = appended > found ? appended : marked;
  }

  /** A file is not as it was. */
  void onDamage(String path) {
    if (path.equals(MARK)) {
      marked = 0;
    }
  }

  /** The record that the mark of an orderly end names; 0 if there is none that can be read. */
  long marked() {
    return marked;
  }

  /** Everything is as it was when the mark named this record. */
  void onRestored(long markedThen) {
    marked = markedThen;
  }

  /** The newest record. */
  long appended() {
    return appended;
  }

  /** Its log time, milliseconds since the epoch. */
  long appendedTimeMs() {
    return appendedTimeMs;
  }

  /** What was forced when the last process ended, as far as it knew. */
  long forced() {
    return forced;
  }

  /** Whether there is a mark that names the newest record. */
  boolean isMarked() {
    return marked == appended && disk.files(MARK::equals).size() == 1;
  }
}
