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
        Map<String, List<ObservedTask>> found = found(op);
        op.invocation().ids().stream()
            .filter(byId::containsKey)
            .map(byId::get)
            .forEach(task -> check(op, task, found, true));
      } else if (op.isDone() && op.invocation().kind() == OperationKind.AUDIT) {
        Map<String, List<ObservedTask>> found = found(op);
        byId.values().forEach(task -> check(op, task, found, false));
      }
    }
  }

  private static Map<String, List<ObservedTask>> found(Operation read) {
    return read.response().orElseThrow().tasks().stream()
        .collect(Collectors.groupingBy(ObservedTask::id));
  }

  private void check(
      Operation read, TaskHistory task, Map<String, List<ObservedTask>> all, boolean isOwnOnly) {
    ViolationKind kind = isOwnOnly ? ViolationKind.STALE : ViolationKind.LOST;
    int least = task.createdBefore(read, isOwnOnly);
    List<ObservedTask> found = all.getOrDefault(task.id, List.of());
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
