package io.entroq.api.feed;

import io.entroq.api.Task;
import java.util.Optional;

/** What became of a task between two points of a feed; see {@link EffectFold}. */
public final class TaskChanges {
  private final Optional<String> firstQueue;
  private Task last;
  private boolean isThere;
  private int claims;
  private int failures;
  private int lapses;

  /** In a word. */
  public enum Change {
    /** There was none before. */
    CREATED,
    /** There is none any more. */
    GONE,
    /** It did not exist before, and does not any more. */
    CREATED_AND_GONE,
    /** It is in another queue. */
    MOVED,
    /** It is in the same queue. */
    CHANGED
  }

  /** Begins before the first effect. */
  TaskChanges(Effect first, Task task) {
    firstQueue =
        first.kind() == EffectKind.INSERTED
            ? Optional.empty()
            : first.formerQueue().or(() -> Optional.of(task.queue()));
  }

  void add(Effect effect, Task task) {
    last = task;
    isThere = true;
    switch (effect.kind()) {
      case CLAIMED -> claims++;
      case FAILED -> failures++;
      case LAPSED -> lapses++;
      case DELETED, EXPIRED, DROPPED -> isThere = false;
      default -> {
        // Changes only what the task has now.
      }
    }
  }

  /** What changed. */
  public Change change() {
    if (firstQueue.isEmpty()) {
      return isThere ? Change.CREATED : Change.CREATED_AND_GONE;
    }
    if (!isThere) {
      return Change.GONE;
    }
    return firstQueue.get().equals(last.queue()) ? Change.CHANGED : Change.MOVED;
  }

  /** The queue at the first point; empty if it did not exist. */
  public Optional<String> firstQueue() {
    return firstQueue;
  }

  /** The task after its last effect, or as it was last if it is gone. */
  public Task last() {
    return last;
  }

  /** How often it was claimed. */
  public int claims() {
    return claims;
  }

  /** How often work on it has failed. */
  public int failures() {
    return failures;
  }

  /** How often its lease has ended without a word about the work. */
  public int lapses() {
    return lapses;
  }
}
