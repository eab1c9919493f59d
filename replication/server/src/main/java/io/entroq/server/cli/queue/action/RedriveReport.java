package io.entroq.server.cli.queue.action;

/**
 * The progress of a redrive, in tasks.
 *
 * @param matched examined tasks that the filter selected
 * @param held tasks skipped because they are claimed or not due
 * @param changed tasks skipped because they have changed or no longer exist
 */
public record RedriveReport(long examined, long matched, long moved, long held, long changed) {
  static final RedriveReport NOTHING = new RedriveReport(0, 0, 0, 0, 0);

  RedriveReport withExamined(boolean isMatch) {
    return new RedriveReport(examined + 1, matched + (isMatch ? 1 : 0), moved, held, changed);
  }

  RedriveReport withMoved(Batch batch) {
    return new RedriveReport(
        examined, matched, moved + batch.done(), held + batch.held(), changed + batch.changed());
  }
}
