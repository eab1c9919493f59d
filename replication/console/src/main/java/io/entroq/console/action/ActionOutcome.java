package io.entroq.console.action;

import io.entroq.console.read.Visit;
import io.entroq.console.view.Part;
import java.util.List;
import java.util.Map;

/**
 * That an action was done.
 *
 * @param href the page that shows its effect, and says that it was done
 */
public record ActionOutcome(String href) {
  /** The parameter that names the action that was done. */
  public static final String DID = "did";

  /** Only these sentences: a link can make a page say nothing else. */
  private static final Map<String, String> SENTENCES =
      Map.ofEntries(
          Map.entry("retry", "The task is available now."),
          Map.entry("delay", "The task is kept back as long as you said."),
          Map.entry("move", "The task is in its new queue."),
          Map.entry("edit", "The task has its new value."),
          Map.entry("delete", "The task is deleted."),
          Map.entry("take-back", "The task is taken back."),
          Map.entry("insert", "The task is inserted."),
          Map.entry("pause", "The queue is paused: no claim gets a task from it."),
          Map.entry("resume", "The queue is resumed."),
          Map.entry("pause-it", "It is paused: no claim gets a task that it concerns."),
          Map.entry("resume-it", "It is resumed."),
          Map.entry("policy", "The policy is written."),
          Map.entry("drop-policy", "The policy is removed."),
          Map.entry("limiter", "The limiter is written."),
          Map.entry("drop-limiter", "The limiter is removed."),
          Map.entry("snapshot", "A snapshot has begun."));

  /** What to say first on the page to which an action has led; empty if none has. */
  public static List<Part> notes(Visit visit) {
    String sentence = SENTENCES.get(visit.text(DID));
    return sentence == null ? List.of() : List.of(Part.Note.of(Part.Tone.DONE, sentence));
  }
}
