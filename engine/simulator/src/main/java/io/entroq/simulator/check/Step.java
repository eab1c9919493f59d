package io.entroq.simulator.check;

/** One record while it is being executed, and what it may still assign to waiting claims. */
final class Step {
  private static final int ASSIGNED_MAX = 1_000;
  private static final long ASSIGNED_BYTES_MAX = 8L << 20;

  long sequence;
  long nowMs;

  /** Whether it ends a pause. */
  boolean resumes;

  private int assignable;
  private long assignableBytes;

  void begin(long recordSequence, long logTimeMs) {
    sequence = recordSequence;
    nowMs = logTimeMs;
    resumes = false;
    assignable = ASSIGNED_MAX;
    assignableBytes = ASSIGNED_BYTES_MAX;
  }

  boolean mayAssign() {
    return assignable > 0 && assignableBytes > 0;
  }

  int assignable() {
    return assignable;
  }

  long assignableBytes() {
    return assignableBytes;
  }

  void assigned(int count, long bytes) {
    assignable -= count;
    assignableBytes -= bytes;
  }

  /** The step's record as a request is printed. */
  String name() {
    return name(sequence);
  }

  static String name(long sequence) {
    return "@" + sequence;
  }
}
