package io.entroq.simulator.host;

import io.entroq.simulator.disk.SimulatedDisk;

/**
 * The progress of a log over all lives of its engines, and the mark of its clean close. One thread.
 */
final class LogProgress {
  /** The file that marks a clean close and the end of the log. */
  private static final String MARK = EngineHost.DIRECTORY + "/closed";

  private final SimulatedDisk disk;
  private long found;
  private long appended;
  private long appendedTimeMs = Long.MIN_VALUE;
  private long forced;

  private long marked;

  LogProgress(SimulatedDisk disk) {
    this.disk = disk;
  }

  /** An engine has recovered the log up to this record, which is all on the disk. */
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

  /** The engine reports everything up to this record as forced. */
  void onForced(long sequence) {
    forced = sequence;
  }

  /** The engine was closed. */
  void onClosed() {
    forced = appended;
    marked = appended > found ? appended : marked;
  }

  /** A file was damaged. */
  void onDamage(String path) {
    if (path.equals(MARK)) {
      marked = 0;
    }
  }

  /** The record in the mark of a clean close; 0 if there is no readable mark. */
  long marked() {
    return marked;
  }

  /** The disk was restored to when the mark named this record. */
  void onRestored(long markedThen) {
    marked = markedThen;
  }

  /** The newest record. */
  long appended() {
    return appended;
  }

  /** Log time of the newest record, milliseconds since the epoch. */
  long appendedTimeMs() {
    return appendedTimeMs;
  }

  /** What the last process had reported as forced when it ended. */
  long forced() {
    return forced;
  }

  /** Whether the mark exists and names the newest record. */
  boolean isMarked() {
    return marked == appended && disk.files(MARK::equals).size() == 1;
  }
}
