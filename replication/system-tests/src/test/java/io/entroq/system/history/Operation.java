package io.entroq.system.history;

import java.util.Optional;

/**
 * What was asked and what came of it.
 *
 * @param told empty: nobody was told anything, as the caller has died
 */
public record Operation(Asked asked, Optional<Told> told) {
  /** Its name. */
  public String op() {
    return asked.op();
  }

  /** When it was asked. */
  public long askedNs() {
    return asked.atNs();
  }

  /** When it ended; at the end of all times if it did not. */
  public long toldNs() {
    return told.map(Told::atNs).orElse(Long.MAX_VALUE);
  }

  /** What came of it. */
  public Outcome outcome() {
    return told.map(Told::outcome).orElse(Outcome.UNKNOWN);
  }

  /** Whether it was done for sure. */
  public boolean isDone() {
    return outcome().isDone();
  }

  /** Whether its caller was told that it was done. */
  boolean isKnown() {
    return outcome() == Outcome.DONE;
  }

  /** Whether it had ended when the other one began. */
  public boolean isBefore(Operation other) {
    return toldNs() < other.askedNs();
  }

  /** What it writes to a task, if it does. */
  Optional<Written> writeOf(String id) {
    return asked.writes().stream().filter(write -> write.id().equals(id)).findFirst();
  }

  @Override
  public String toString() {
    return op() + " (" + asked.kind() + ", " + outcome() + ")";
  }
}
