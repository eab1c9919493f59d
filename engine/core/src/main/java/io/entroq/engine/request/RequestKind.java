package io.entroq.engine.request;

import io.entroq.codec.record.RecordType;

/** The kinds of requests to the engine's thread. */
public enum RequestKind {
  CLAIM(RecordType.CLAIM, true),
  MODIFY(RecordType.MODIFY, true),
  /** Cancels a claim under its caller's own identity. */
  CANCEL(RecordType.CANCEL, true),
  CLAIM_DOCS(RecordType.CLAIM_DOCS, true),
  RAISE_LEVEL(RecordType.RAISE_LEVEL, true),
  /** A page of a listing. */
  LIST(0, false),
  /** Returns the log time, after everything due by then has happened. */
  TIME(0, false),
  /** Returns the log time, once the log has reached a sequence. */
  REACH(0, false);

  private final int recordType;
  private final boolean isWrite;

  RequestKind(int recordType, boolean isWrite) {
    this.recordType = recordType;
    this.isWrite = isWrite;
  }

  /** The record type of a write; 0 for a read. */
  public int recordType() {
    return recordType;
  }

  /** Whether a lost reply leaves the outcome unknown. */
  public boolean isWrite() {
    return isWrite;
  }
}
