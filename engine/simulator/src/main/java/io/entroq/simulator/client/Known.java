package io.entroq.simulator.client;

import io.entroq.codec.message.ValueKinds;
import java.util.Locale;

/** What a client knows of a task, or means to make of one. */
final class Known {
  /** Its value kills whoever takes it. */
  static final int POISON = 1;

  long idHigh;
  long idLow;
  int version;
  int queue;
  int claims;

  /** As of the last reply that told it. */
  long arrivalMs;

  int attempt;
  int errLength;
  int valueKind = ValueKinds.BYTES;
  int valueLength;

  /** The number of the write that made the value; no two have one. */
  long write;

  /** The version that this write gave the task. */
  int writtenVersion;

  /** The arrival time that this write gave the task; long past means at once. */
  long writtenArrivalMs;

  /** Which insert of a reused id it comes from; 0 for other ids. */
  long generation;

  int marks;

  boolean isPoison() {
    return (marks & POISON) != 0;
  }

  /** Takes up everything but id and version from another. */
  Known copyContent(Known other) {
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

  Known copyId(Known other) {
    idHigh = other.idHigh;
    idLow = other.idLow;
    version = other.version;
    return this;
  }

  /** Its id, as it stands in printed commands. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%016x%016x", idHigh, idLow);
  }
}
