package io.entroq.simulator.client.knowledge;

import io.entroq.codec.message.ValueKinds;
import java.util.Locale;

/** What a client knows of a task, or intends to write. */
public final class KnownTask {
  /** The value kills every worker that claims it. */
  public static final int POISON = 1;

  public long idHigh;
  public long idLow;
  public int version;
  public int queue;
  public int claims;

  /** According to the last reply. */
  public long arrivalMs;

  /** To write: if not 0, the arrival time in milliseconds from the log time. */
  public long byMs;

  public int attempt;
  public int errLength;
  public int valueKind = ValueKinds.BYTES;
  public int valueLength;

  /** The unique number of the write of the value. */
  public long write;

  /** The version that this write gave the task. */
  public int writtenVersion;

  /** The arrival time that this write gave the task; long past means at once. */
  public long writtenArrivalMs;

  /** The number of the insert of a reused id; 0 for other ids. */
  public long generation;

  public int marks;

  public boolean isPoison() {
    return (marks & POISON) != 0;
  }

  /** Copies everything but id and version from another task. */
  public KnownTask copyContent(KnownTask other) {
    queue = other.queue;
    attempt = other.attempt;
    errLength = other.errLength;
    valueKind = other.valueKind;
    valueLength = other.valueLength;
    write = other.write;
    writtenVersion = other.writtenVersion;
    writtenArrivalMs = other.writtenArrivalMs;
    generation = other.generation;
    marks = other.marks;
    return this;
  }

  public KnownTask copyId(KnownTask other) {
    idHigh = other.idHigh;
    idLow = other.idLow;
    version = other.version;
    return this;
  }

  /** The id as in printed commands. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%016x%016x", idHigh, idLow);
  }
}
