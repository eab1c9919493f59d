package io.entroq.junit;

/**
 * What happened to the tasks of a queue during a test that has failed; suppressed by the failure.
 * Its message has a line for each effect, grouped by what it was on, in order: the time by the
 * queue's clock since the start of the test, what happened, in which queue, by which claimant, and
 * then the end of the lease or of the rest, the attempt and the error. At most the latest 200; if
 * there were more, it says so.
 */
public final class TaskHistory extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TaskHistory(String text) {
    // No stack: nothing was thrown.
    super(text, null, false, false);
  }
}
