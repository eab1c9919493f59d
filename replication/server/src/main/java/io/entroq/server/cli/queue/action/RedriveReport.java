package io.entroq.server.cli.queue.action;

/**
 * The progress of a redrive, in tasks.
 *
 * @param matched examined tasks that the filter selected
 * @param held skipped because they are claimed or not due
 * @param changed skipped because they have changed or are gone
 */
public record RedriveReport(long examined, long matched, long moved, long held, long changed) {
  static final RedriveReport NOTHING = new RedriveReport(0, 0, 0, 0, 0);

  RedriveReport examinedOne(boolean isMatch) {
    return new RedriveReport(examined + 1, matched + (isMatch ? 1 : 0), moved, held, changed);
  }

  RedriveReport wrote(Batch batch) {
    return new RedriveReport(
        examined, matched, moved + batch.done(), held + batch.held(), changed + batch.changed());
  }
}
