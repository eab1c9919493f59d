package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.LogException;

/**
 * Checks that each record continues the one before: knows which is due next, and whether the bytes
 * at a position are that record. One thread.
 */
final class RecordValidator {
  private final RecordFrame frame;
  private Integer logTag;
  private long due = 1;
  private long lastLogTimeMs;

  /** The record behind which a scan begins, 0 for the beginning of the log. */
  private long floor;

  private long floorLogTimeMs;
  private boolean isFloorMet;

  /** The last record that the snapshot holds from which the log goes on; 0 if there is none. */
  private long snapshot;

  /** What is wrong with the payload of the last record, which the snapshot holds; or null. */
  private String spoiledPayload;

  /**
   * @param frame around what is looked at
   */
  RecordValidator(RecordFrame frame) {
    this.frame = frame;
  }

  /** The tag of the log, null if it is not known yet. */
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

  /** The log time of the record before it, 0 if there is none or it was not read. */
  long lastLogTimeMs() {
    return lastLogTimeMs;
  }

  long floor() {
    return floor;
  }

  /** A snapshot holds all up to a record with this log time; what is asked for lies behind it. */
  void goOnBehindSnapshot(long sequence, long logTimeMs) {
    goOnBehind(sequence, logTimeMs);
    snapshot = sequence;
  }

  /** The last record that the snapshot holds; 0 if there is none. */
  long snapshot() {
    return snapshot;
  }

  /** Whether the snapshot holds the record that is due: then it need not be good. */
  boolean isCovered() {
    return due <= snapshot;
  }

  /** Whether a record lies behind the one that is due, with nothing lost but what is covered. */
  boolean mayGoOnWith(long sequence) {
    return isCovered() && sequence > due && sequence <= snapshot + 1;
  }

  /**
   * Passes over records that the snapshot holds.
   *
   * @param sequence the one that is due from now on
   * @param isMet whether the record behind which to begin was there
   */
  void passTo(long sequence, boolean isMet) {
    isFloorMet |= isMet;
    due = sequence;
  }

  /** What is wrong with the payload of the last record, null if nothing. */
  String spoiledPayload() {
    return spoiledPayload;
  }

  /** What is asked for lies behind a record with this log time. */
  void goOnBehind(long sequence, long logTimeMs) {
    floor = sequence;
    floorLogTimeMs = logTimeMs;
    isFloorMet = false;
  }

  /** Nothing is known of the records before. */
  void forgetLast() {
    lastLogTimeMs = 0;
  }

  void setDue(long sequence) {
    due = sequence;
  }

  /** Goes on from the floor, unless it begins before that. */
  void begin() {
    if (isBehindFloor()) {
      lastLogTimeMs = floorLogTimeMs;
    }
  }

  /** Whether the record that is due is asked for. */
  boolean isBehindFloor() {
    return due > floor;
  }

  boolean isAtFloor() {
    return due == floor;
  }

  /** Whether the records have come to the one behind which the scan begins. */
  boolean reachesFloor() {
    return floor == 0 || isFloorMet || due > floor + 1;
  }

  /** What stands in the frame is the record that was due. */
  void advance() {
    if (isAtFloor()) {
      isFloorMet = true;
    }
    due++;
    lastLogTimeMs = frame.logTimeMs();
  }

  /**
   * What is wrong with the record that should begin at the offset, null if nothing; then it is in
   * the frame.
   *
   * @throws LogException if it was written by a build that knows more
   */
  Defect faultAt(SegmentReader bytes, int offset) {
    RecordFault fault = bytes.check(frame, offset);
    spoiledPayload = null;
    if (fault == RecordFault.PAYLOAD_CRC && (due < floor || isCovered())) {
      // Where it ends is known by its header; what it said is in the snapshot.
      spoiledPayload = bytes.describe(frame, fault, offset);
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
      String there = "record %d stands there".formatted(frame.sequence());
      return new Defect(isOlder ? there : missing(frame.sequence()) + ": " + there, isOlder);
    }
    if (isAtFloor() && frame.logTimeMs() != floorLogTimeMs) {
      String what = "its log time is %d, the snapshot that holds it says %d";
      return new Defect(what.formatted(frame.logTimeMs(), floorLogTimeMs), true);
    }
    if (frame.logTimeMs() < lastLogTimeMs) {
      String what = "its log time is %d, that of the record before %d";
      return new Defect(what.formatted(frame.logTimeMs(), lastLogTimeMs), true);
    }
    return null;
  }

  /** What is wrong with the place of a run in the log, null if nothing. */
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
      return new Defect("the run begins with %d once more".formatted(first), isReadable);
    }
    return null;
  }

  /** What is missing in front of the record that is there next. */
  String missing(long next) {
    return due == next - 1
        ? "record %,d is missing".formatted(due)
        : "records %,d to %,d are missing".formatted(due, next - 1);
  }

  /** Evidence of records from this one on, of which there is none yet. */
  LaterRecords evidenceFrom(long bad) {
    return new LaterRecords(frame, bad, logTag);
  }

  /** The same of the record that is due. */
  LaterRecords evidence() {
    return evidenceFrom(due);
  }
}
