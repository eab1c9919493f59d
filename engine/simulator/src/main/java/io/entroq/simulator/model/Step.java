package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;

/** One record while it is applied: its place, its time, what the engine said, what may be given. */
final class Step {
  /** Core 4.5: the rest is left to a continuation tick. */
  private static final int ASSIGNMENTS_MAX = 1_000;

  final long sequence;
  final long nowMs;
  final StepAnswers answers;
  private int assignmentsLeft = ASSIGNMENTS_MAX;

  Step(long sequence, long nowMs, StepAnswers answers) {
    this.sequence = sequence;
    this.nowMs = nowMs;
    this.answers = answers;
  }

  int assignmentsLeft() {
    return assignmentsLeft;
  }

  void assigned(int count) {
    assignmentsLeft -= count;
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
