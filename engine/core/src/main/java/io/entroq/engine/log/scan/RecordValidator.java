package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.LogException;

/**
 * Checks that each record continues the previous one: tracks which record is due, and whether the
 * bytes at a position are that record. Not thread-safe.
 */
final class RecordValidator {
  private final RecordFrame frame;
  private Integer logTag;
  private long due = 1;
  private long lastLogTimeMs;

  /** The record after which the scan starts; 0 for the beginning of the log. */
  private long floor;

  private long floorLogTimeMs;
  private boolean isFloorReached;

  /** The last record in the snapshot that the scan starts from; 0 if there is none. */
  private long snapshot;

  /** The defect of the last record's payload, if the snapshot includes the record; or null. */
  private String payloadFault;

  RecordValidator(RecordFrame frame) {
    this.frame = frame;
  }

  /** The tag of the log; null if not known yet. */
  Integer logTag() {
    return logTag;
  }

  void setLogTag(int tag) {
    logTag = tag;
  }

  /** The record that is due next. */
  long due() {
    return due;
  }

  /** The log time of the previous record; 0 if there is none or it was not read. */
  long lastLogTimeMs() {
    return lastLogTimeMs;
  }

  long floor() {
    return floor;
  }

  /** Starts after a snapshot at a record with this log time. */
  void goOnBehindSnapshot(long sequence, long logTimeMs) {
    goOnBehind(sequence, logTimeMs);
    snapshot = sequence;
  }

  /** The last record in the snapshot; 0 if there is none. */
  long snapshot() {
    return snapshot;
  }

  /** Whether the snapshot includes the record that is due, so that it need not be good. */
  boolean isCovered() {
    return due <= snapshot;
  }

  /** Whether reading may skip to a record, losing only records in the snapshot. */
  boolean mayGoOnWith(long sequence) {
    return isCovered() && sequence > due && sequence <= snapshot + 1;
  }

  /**
   * Skips records that the snapshot includes.
   *
   * @param sequence the record that is due next
   * @param isReached whether the floor's record was found
   */
  void passTo(long sequence, boolean isReached) {
    isFloorReached |= isReached;
    due = sequence;
  }

  /** The defect of the last record's payload; null if there is none. */
  String payloadFault() {
    return payloadFault;
  }

  /** Starts after a record with this log time. */
  void goOnBehind(long sequence, long logTimeMs) {
    floor = sequence;
    floorLogTimeMs = logTimeMs;
    isFloorReached = false;
  }

  /** Forgets the previous record. */
  void forgetLast() {
    lastLogTimeMs = 0;
  }

  void setDue(long sequence) {
    due = sequence;
  }

  /** Uses the floor's log time if the scan starts there. */
  void begin() {
    if (isBehindFloor()) {
      lastLogTimeMs = floorLogTimeMs;
    }
  }

  /** Whether the record that is due is requested. */
  boolean isBehindFloor() {
    return due > floor;
  }

  boolean isAtFloor() {
    return due == floor;
  }

  /** Whether the log reaches the floor. */
  boolean reachesFloor() {
    return floor == 0 || isFloorReached || due > floor + 1;
  }

  /** Accepts the record in the frame, which was due. */
  void advance() {
    if (isAtFloor()) {
      isFloorReached = true;
    }
    due++;
    lastLogTimeMs = frame.logTimeMs();
  }

  /**
   * The defect of the record at the offset; null if it is good, and then it is in the frame.
   *
   * @throws LogException if it was written by a newer build
   */
  Defect faultAt(SegmentReader bytes, int offset) {
    RecordFault fault = bytes.check(frame, offset);
    payloadFault = null;
    if (fault == RecordFault.PAYLOAD_CRC && (due < floor || isCovered())) {
      // The header gives its length, and the snapshot has its content.
      payloadFault = bytes.describe(frame, fault, offset);
      fault = RecordFault.NONE;
    }
    if (fault == RecordFault.UNSUPPORTED) {
      throw LogException.error(
          "Record %d in %s at offset %d: %s. Use that build."
              .formatted(due, bytes.file(), offset, bytes.describe(frame, fault, offset)));
    }
    if (fault != RecordFault.NONE) {
      return new Defect(bytes.describe(frame, fault, offset), false);
    }
    return faultOfValid();
  }

  /** Whether the record at the offset is the one that is due. */
  boolean isDueAt(SegmentReader bytes, int offset) {
    return bytes.check(frame, offset) == RecordFault.NONE && faultOfValid() == null;
  }

  private Defect faultOfValid() {
    if (logTag == null) {
      return new Defect("the log does not begin with a genesis record", true);
    }
    if (frame.logTag() != logTag) {
      return new Defect("a record of another log", true);
    }
    if (frame.sequence() != due) {
      boolean isOlder = frame.sequence() < due;
      String there = "found record %d".formatted(frame.sequence());
      return new Defect(isOlder ? there : missing(frame.sequence()) + ": " + there, isOlder);
    }
    if (isAtFloor() && frame.logTimeMs() != floorLogTimeMs) {
      String what = "its log time is %d, but %d in the snapshot";
      return new Defect(what.formatted(frame.logTimeMs(), floorLogTimeMs), true);
    }
    if (frame.logTimeMs() < lastLogTimeMs) {
      String what = "its log time is %d, below %d of the previous record";
      return new Defect(what.formatted(frame.logTimeMs(), lastLogTimeMs), true);
    }
    return null;
  }

  /** The defect of a run's position in the log; null if there is none. */
  Defect faultOfRun(RunHeader run) {
    long first = run.log().firstSequence();
    boolean isReadable = run.isReadable();
    if (isReadable && run.sequence() != first) {
      String what = "the run is named for record %d and begins with %d";
      return new Defect(what.formatted(first, run.sequence()), true);
    }
    if (first > due) {
      return new Defect(missing(first) + ": the run begins with %d".formatted(first), isReadable);
    }
    if (first < due) {
      return new Defect("the run begins with %d again".formatted(first), isReadable);
    }
    return null;
  }

  /** Describes what is missing before the next record. */
  String missing(long next) {
    return due == next - 1
        ? "record %,d is missing".formatted(due)
        : "records %,d to %,d are missing".formatted(due, next - 1);
  }

  /** Starts a search for valid records from this one on. */
  LaterRecords evidenceFrom(long bad) {
    return new LaterRecords(frame, bad, logTag);
  }

  /** Starts a search for valid records from the one that is due. */
  LaterRecords evidence() {
    return evidenceFrom(due);
  }
}
