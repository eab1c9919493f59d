package io.entroq.system.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that operations say of one task. */
final class Life {
  /** Something that an operation did, tried, or saw at a version of the task. */
  record Trace(Operation by, int version) {}

  /** A task as an operation saw it, in its answer. */
  record Sight(Operation by, Seen seen) {}

  final String id;

  /** By whichever outcome. */
  final List<Operation> inserts = new ArrayList<>();

  /** What was done for sure, by the version that it made: inserts, changes, claims. */
  final Map<Integer, List<Operation>> made = new TreeMap<>();

  /** What was done for sure, by the version that it ended: changes, claims, deletes. */
  final Map<Integer, List<Operation>> ended = new TreeMap<>();

  /** By the version that they ended. */
  final List<Trace> deletes = new ArrayList<>();

  /** Of changes, by the version that they would make, whatever came of them. */
  final List<Trace> changes = new ArrayList<>();

  final List<Sight> sights = new ArrayList<>();

  /** Refusals, as this version was missing. */
  final List<Trace> denials = new ArrayList<>();

  Life(String id) {
    this.id = id;
  }

  /**
   * The highest version that was made for sure by one that had ended before; -1: none.
   *
   * @param isOwnOnly whether only by what the caller of the other one knows of himself
   */
  int madeBefore(Operation other, boolean isOwnOnly) {
    return made.entrySet().stream()
        .filter(
            entry ->
                entry.getValue().stream()
                    .anyMatch(op -> op.isBefore(other) && (!isOwnOnly || isKnownTo(op, other))))
        .mapToInt(Map.Entry::getKey)
        .max()
        .orElse(-1);
  }

  /** Whether whoever asked the other one has been told that it was done. */
  static boolean isKnownTo(Operation one, Operation other) {
    return one.isKnown() && one.asked().caller().equals(other.asked().caller());
  }

  int lastMade() {
    return made.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
  }

  /** Whether somebody who looked at everything later found this version. */
  boolean isAuditedAfter(Operation other, int version) {
    return sights.stream()
        .anyMatch(
            sight ->
                sight.by().asked().kind() == Kind.AUDIT
                    && sight.seen().version() == version
                    && other.isBefore(sight.by()));
  }

  /**
   * Whether it may have been deleted at a version or a later one, by an operation begun by then.
   */
  boolean mayBeDeletedFrom(int version, long byNs) {
    return !deletersFrom(version, byNs).isEmpty();
  }

  /** Who may have deleted it so. */
  List<Operation> deletersFrom(int version, long byNs) {
    return deletes.stream()
        .filter(delete -> delete.version() >= version && delete.by().askedNs() < byNs)
        .map(Trace::by)
        .filter(by -> by.outcome().mayBeDone())
        .toList();
  }
}
