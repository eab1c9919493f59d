package io.entroq.console.screen;

import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.read.History;
import io.entroq.console.read.Reads;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Part;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;

/** What happened to a task, as far as the server still knows. */
final class TaskHistory {
  private static final int EFFECTS_MAX = 500;

  private final Reads reads;
  private final String id;
  private final String queue;

  /**
   * @param queue in which the task is; empty if it is gone
   */
  TaskHistory(Reads reads, String id, String queue) {
    this.reads = reads;
    this.id = id;
    this.queue = queue;
  }

  /** Its attempts and its history, or why they cannot be shown. */
  List<Part> parts() {
    try {
      FeedRange range = reads.range();
      if (range.getLastSequence() < range.getFirstSequence()) {
        return List.of(
            Part.Note.of(
                Part.Tone.NOTE,
                "Nothing of the past is kept yet: the server remembers what happens from now on."));
      }
      return parts(range, read(range));
    } catch (CallFailedException e) {
      return List.of(
          Part.Note.of(Part.Tone.PROBLEM, "The history cannot be shown: " + e.getMessage()));
    }
  }

  private History read(FeedRange range) {
    TailRequest.Builder request =
        TailRequest.newBuilder()
            .setPosition(Long.toString(range.getFirstSequence() - 1))
            .setUntil(Long.toString(range.getLastSequence()))
            .addTaskIds(id);
    try {
      return reads.history(request.build(), EFFECTS_MAX);
    } catch (CallFailedException e) {
      // A visitor who may not read all queues may still read that of the task.
      if (e.refusal().code() != Status.Code.PERMISSION_DENIED || queue.isEmpty()) {
        throw e;
      }
      return reads.history(request.addQueues(queue).build(), EFFECTS_MAX);
    }
  }

  private static List<Part> parts(FeedRange range, History history) {
    List<Part> parts = new ArrayList<>();
    parts.add(Attempts.table(history.effects()));
    List<List<Cell>> rows = new ArrayList<>();
    for (Effect effect : history.effects()) {
      rows.add(
          0,
          List.of(
              Cell.of(TimeText.at(effect.getTimeMs())),
              Cell.of(EffectWords.what(effect)),
              Cell.of(EffectWords.who(effect)),
              Cell.of(effect.getTask().getVersion()),
              Cell.of(EffectWords.error(effect)),
              Cell.of(effect.getSequence() + "-" + effect.getIndex())));
    }
    parts.add(
        new Part.Table(
            "History",
            List.of(
                Part.Column.of("When"),
                Part.Column.of("What happened"),
                Part.Column.of("Who did it"),
                Part.Column.number("Version"),
                Part.Column.of("Error"),
                Part.Column.of("Position in the log")),
            rows,
            "Nothing happened to it in the history that is kept."));
    boolean isCut = !history.isComplete();
    String kept =
        "Newest first, from record %,d of the log on.".formatted(range.getFirstSequence());
    parts.add(
        Part.Note.of(
            isCut ? Part.Tone.PROBLEM : Part.Tone.TEXT,
            isCut
                ? kept + " Not all of it could be read in time: load the page again."
                : kept + " The server does not keep what was before."));
    return parts;
  }
}
