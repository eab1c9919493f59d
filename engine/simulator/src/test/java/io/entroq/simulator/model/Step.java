package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.simulator.check.Violation;

/** One record while it is applied: its place, its time, what the engine said, what may be given. */
final class Step {
  /** Core 4.5: the rest is left to a continuation tick. */
  private static final int ASSIGNMENTS_MAX = 1_000;

  private static final long ASSIGNED_BYTES_MAX = 8L << 20;

  /** The first level at which the bytes count. */
  private static final int LEVEL_OF_BYTES = 2;

  final long sequence;
  final long nowMs;
  final StepAnswers answers;
  private int assignmentsLeft = ASSIGNMENTS_MAX;
  private long bytesLeft;

  Step(int level, long sequence, long nowMs, StepAnswers answers) {
    this.bytesLeft = level < LEVEL_OF_BYTES ? Long.MAX_VALUE : ASSIGNED_BYTES_MAX;
    this.sequence = sequence;
    this.nowMs = nowMs;
    this.answers = answers;
  }

  boolean mayAssign() {
    return assignmentsLeft > 0 && bytesLeft > 0;
  }

  int assignmentsLeft() {
    return assignmentsLeft;
  }

  long bytesLeft() {
    return bytesLeft;
  }

  void assigned(int count, long bytes) {
    assignmentsLeft -= count;
    bytesLeft -= bytes;
  }

  /** The beginning of an answer that this step decides. */
  Result.Builder result(ResultCode code) {
    return Result.newBuilder().setCode(code).setSequence(sequence).setLogTimeMs(nowMs);
  }

  /** The command of this step is answered so. */
  void expect(String rule, Result expected) {
    Violation.checkEqual(rule, "@" + sequence, expected, answers.take(sequence, rule));
  }
}
