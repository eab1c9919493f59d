package io.entroq.system.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that operations did to one task or observed of it. */
final class TaskHistory {
  /** What an operation did, tried, or observed at a version of the task. */
  record Step(Operation by, int version) {}

  /** A task as an operation returned it. */
  record Observation(Operation by, ObservedTask task) {}

  final String id;

  /** With any outcome. */
  final List<Operation> inserts = new ArrayList<>();

  /**
   * Operations that certainly happened, by the version that they created: inserts, changes, claims.
   */
  final Map<Integer, List<Operation>> created = new TreeMap<>();

  /**
   * Operations that certainly happened, by the version that they ended: changes, claims, deletes.
   */
  final Map<Integer, List<Operation>> ended = new TreeMap<>();

  /** With any outcome, by the version that they end. */
  final List<Step> deletes = new ArrayList<>();

  /** With any outcome, by the version that they create. */
  final List<Step> changes = new ArrayList<>();

  final List<Observation> observations = new ArrayList<>();

  /** Refused operations to which this version was reported missing. */
  final List<Step> rejections = new ArrayList<>();

  TaskHistory(String id) {
    this.id = id;
  }

  /**
   * The highest version that certainly existed before another operation began; -1: none.
   *
   * @param isOwnOnly whether only operations count that the same caller knows
   */
  int createdBefore(Operation other, boolean isOwnOnly) {
    return created.entrySet().stream()
        .filter(
            entry ->
                entry.getValue().stream()
                    .anyMatch(
                        op -> op.isBefore(other) && (!isOwnOnly || isAcknowledgedTo(op, other))))
        .mapToInt(Map.Entry::getKey)
        .max()
        .orElse(-1);
  }

  /** Whether the caller of the other operation knows that this one happened. */
  static boolean isAcknowledgedTo(Operation one, Operation other) {
    return one.isAcknowledged() && one.invocation().caller().equals(other.invocation().caller());
  }

  int lastVersion() {
    return created.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
  }

  /** Whether a later listing of all tasks shows this version. */
  boolean isAuditedAfter(Operation other, int version) {
    return observations.stream()
        .anyMatch(
            observation ->
                observation.by().invocation().kind() == OperationKind.AUDIT
                    && observation.task().version() == version
                    && other.isBefore(observation.by()));
  }

  /** Whether an operation begun by then may have deleted this version or a later one. */
  boolean mayBeDeletedFrom(int version, long byNs) {
    return !deletersFrom(version, byNs).isEmpty();
  }

  /** The operations that may have deleted this version or a later one. */
  List<Operation> deletersFrom(int version, long byNs) {
    return deletes.stream()
        .filter(delete -> delete.version() >= version && delete.by().invokedNs() < byNs)
        .map(Step::by)
        .filter(by -> by.outcome().mayBeDone())
        .toList();
  }
}
