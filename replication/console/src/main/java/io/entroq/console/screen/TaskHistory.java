package io.entroq.console.screen;

import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.EffectKind;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.console.call.AsOf;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.read.History;
import io.entroq.console.read.Reads;
import io.entroq.console.read.Visit;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Link;
import io.entroq.console.view.Part;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Parameters;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What happened to a task, as far as the server still knows. */
final class TaskHistory {
  private static final int EFFECTS_MAX = 500;
  private static final String ALL = "all";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Reads reads;
  private final Optional<AsOf> past;
  private final String id;
  private final Optional<Task> task;

  /**
   * @param task empty if it is gone
   */
  TaskHistory(Visit visit, String id, Optional<Task> task) {
    // Who asks for all of it waits longer than for a page.
    reads = isAll(visit.parameters()) ? visit.reads(PATIENCE) : visit.reads();
    past = visit.past();
    this.id = id;
    this.task = task;
  }

  /** Whether all of a history is asked for, which may take long. */
  static boolean isAll(Parameters parameters) {
    return !parameters.text(ALL).isEmpty();
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
    long last = past.map(AsOf::sequence).orElse(range.getLastSequence());
    TailRequest.Builder request =
        TailRequest.newBuilder().setUntil(Long.toString(last)).addTaskIds(id);
    if (task.isPresent()) {
      try {
        // The server need not look at what was before.
        return read(request.setTimeMs(task.get().getCreatedMs()));
      } catch (CallFailedException e) {
        if (e.refusal().code() != Status.Code.OUT_OF_RANGE) {
          throw e;
        }
      }
    }
    return read(request.setPosition(Long.toString(range.getFirstSequence() - 1)));
  }

  private History read(TailRequest.Builder request) {
    try {
      return reads.history(request.build(), EFFECTS_MAX);
    } catch (CallFailedException e) {
      // A user who may not read all queues may still read that of the task.
      if (e.refusal().code() != Status.Code.PERMISSION_DENIED || task.isEmpty()) {
        throw e;
      }
      return reads.history(request.addQueues(task.get().getQueue()).build(), EFFECTS_MAX);
    }
  }

  private List<Part> parts(FeedRange range, History history) {
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
    parts.add(end(range, history));
    return parts;
  }

  private Part end(FeedRange range, History history) {
    if (!history.isComplete()) {
      return new Part.Note(
          Part.Tone.PROBLEM,
          "Newest first. Not all of it could be read in time.",
          List.of(new Link("Read all of it", PageUrls.to("/task", "id", id, ALL, "yes"))));
    }
    if (history.isCut()) {
      return Part.Note.of(
          Part.Tone.NOTE, "Newest first. Only the newest %d.".formatted(EFFECTS_MAX));
    }
    boolean isWhole =
        !history.effects().isEmpty()
            && history.effects().get(0).getKind() == EffectKind.EFFECT_INSERTED;
    return Part.Note.of(
        Part.Tone.TEXT,
        isWhole
            ? "Newest first, down to its insert."
            : "Newest first. What was before record %,d of the log is not kept."
                .formatted(range.getFirstSequence()));
  }
}
