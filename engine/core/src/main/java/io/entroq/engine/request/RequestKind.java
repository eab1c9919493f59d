package io.entroq.engine.request;

import io.entroq.codec.record.RecordType;

/** What a caller asks of the engine's thread. */
public enum RequestKind {
  CLAIM(RecordType.CLAIM, true),
  MODIFY(RecordType.MODIFY, true),
  /** Ends a claim under its caller's own identity. */
  CANCEL(RecordType.CANCEL, true),
  CLAIM_DOCS(RecordType.CLAIM_DOCS, true),
  RAISE_LEVEL(RecordType.RAISE_LEVEL, true),
  /** A page of a listing. */
  LIST(0, false),
  /** Answers with the log time, once everything that is due by then has happened. */
  TIME(0, false),
  /** Answers with the log time, once the log has come to a sequence. */
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

  /** Whether a lost reply leaves the caller in doubt about what has happened. */
  public boolean isWrite() {
    return isWrite;
  }
}
