package io.entroq.server.cli.queue.action;

/**
 * How far a redrive has come.
 *
 * @param examined how many tasks were looked at
 * @param matched how many of them are meant
 * @param moved how many of those were moved
 * @param held how many were left, as somebody else holds them
 * @param changed how many were left, as they have changed or gone meanwhile
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
