package io.entroq.system.history;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** A caller sees its own effects, and a listing of all tasks shows the effects of every caller. */
final class ReadRules {
  private final BiConsumer<ViolationKind, String> report;

  ReadRules(BiConsumer<ViolationKind, String> report) {
    this.report = report;
  }

  void check(History history, TaskHistories tasks) {
    Map<String, TaskHistory> byId =
        tasks.all().stream().collect(Collectors.toMap(task -> task.id, task -> task));
    for (Operation op : history.operations()) {
      if (op.isDone() && op.invocation().kind() == OperationKind.READ) {
        op.invocation().ids().stream()
            .filter(byId::containsKey)
            .map(byId::get)
            .forEach(task -> check(op, task, true));
      } else if (op.isDone() && op.invocation().kind() == OperationKind.AUDIT) {
        byId.values().forEach(task -> check(op, task, false));
      }
    }
  }

  private void check(Operation read, TaskHistory task, boolean isOwnOnly) {
    ViolationKind kind = isOwnOnly ? ViolationKind.STALE : ViolationKind.LOST;
    int least = task.createdBefore(read, isOwnOnly);
    List<ObservedTask> found =
        read.response().orElseThrow().tasks().stream()
            .filter(observed -> observed.id().equals(task.id))
            .toList();
    if (found.size() > 1) {
      report.accept(
          ViolationKind.DOUBLED, "%s was seen twice by %s: %s".formatted(task.id, read, found));
    }
    if (found.isEmpty()) {
      if (least >= 0 && !task.mayBeDeletedFrom(least, read.respondedNs())) {
        report.accept(
            kind,
            "%s@%d of %s is missing in %s, and no operation deleted it"
                .formatted(task.id, least, task.created.get(least), read));
      }
      return;
    }
    int version = found.get(0).version();
    if (version < least) {
      report.accept(
          kind,
          "%s is at @%d for %s, and was at @%d by %s"
              .formatted(task.id, version, read, least, task.created.get(least)));
    }
    task.deletes.stream()
        .filter(
            delete ->
                delete.by().isDone()
                    && delete.by().isBefore(read)
                    && (!isOwnOnly || TaskHistory.isAcknowledgedTo(delete.by(), read)))
        .forEach(
            delete ->
                report.accept(
                    kind,
                    "%s exists in %s after %s deleted it"
                        .formatted(found.get(0).at(), read, delete.by())));
  }
}
