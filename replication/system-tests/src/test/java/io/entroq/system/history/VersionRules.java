package io.entroq.system.history;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Each version of a task is created once and ended once. */
final class VersionRules {
  private final BiConsumer<ViolationKind, String> report;

  VersionRules(BiConsumer<ViolationKind, String> report) {
    this.report = report;
  }

  void check(TaskHistory task) {
    if (task.inserts.stream().noneMatch(op -> op.outcome().mayBeDone())) {
      checkNeverInserted(task);
      return;
    }
    checkOnce(task, task.created, "made");
    checkOnce(task, task.ended, "ended");
    task.deletes.stream()
        .filter(delete -> delete.by().isDone())
        .forEach(delete -> checkDeletion(task, delete));
    task.rejections.forEach(rejection -> checkDenial(task, rejection));
    checkFirstInsert(task);
  }

  private void checkNeverInserted(TaskHistory task) {
    for (TaskHistory.Observation observation : task.observations) {
      report.accept(
          ViolationKind.PHANTOM,
          "%s was seen by %s, and %s inserted it"
              .formatted(
                  observation.task().at(),
                  observation.by(),
                  task.inserts.isEmpty() ? "no operation" : "only refused ones: " + task.inserts));
    }
    task.ended.forEach(
        (version, by) ->
            report.accept(
                ViolationKind.PHANTOM,
                "%s@%d was ended by %s, but never there".formatted(task.id, version, by)));
  }

  private void checkOnce(TaskHistory task, Map<Integer, List<Operation>> steps, String what) {
    steps.forEach(
        (version, by) -> {
          if (by.size() > 1) {
            report.accept(
                ViolationKind.DOUBLED,
                "%s@%d was %s %d times: %s".formatted(task.id, version, what, by.size(), by));
          }
        });
  }

  /** Nothing follows a deletion. */
  private void checkDeletion(TaskHistory task, TaskHistory.Step delete) {
    if (task.lastVersion() > delete.version()) {
      report.accept(
          ViolationKind.DOUBLED,
          "%s@%d was deleted by %s, and went on to @%d: %s"
              .formatted(
                  task.id,
                  delete.version(),
                  delete.by(),
                  task.lastVersion(),
                  task.created.get(task.lastVersion())));
    }
    for (TaskHistory.Observation observation : task.observations) {
      if (observation.task().version() > delete.version()) {
        report.accept(
            ViolationKind.DOUBLED,
            "%s@%d was deleted by %s, and seen at @%d by %s"
                .formatted(
                    task.id,
                    delete.version(),
                    delete.by(),
                    observation.task().version(),
                    observation.by()));
      }
    }
  }

  /** A version must not be reported missing that existed before and after. */
  private void checkDenial(TaskHistory task, TaskHistory.Step rejection) {
    List<Operation> makers = task.created.getOrDefault(rejection.version(), List.of());
    List<Operation> enders = task.ended.getOrDefault(rejection.version(), List.of());
    boolean wasThere = makers.stream().anyMatch(op -> op.isBefore(rejection.by()));
    boolean wasStillThere =
        enders.stream().anyMatch(op -> rejection.by().isBefore(op))
            || task.isAuditedAfter(rejection.by(), rejection.version());
    if (wasThere && wasStillThere) {
      report.accept(
          ViolationKind.LOST,
          "%s@%d was denied to %s, though %s had made it; it was there later, and was ended by %s"
              .formatted(task.id, rejection.version(), rejection.by(), makers, enders));
    }
  }

  /** No operation sees a task before its insert begins. */
  private void checkFirstInsert(TaskHistory task) {
    long firstNs =
        task.inserts.stream()
            .filter(op -> op.outcome().mayBeDone())
            .mapToLong(Operation::invokedNs)
            .min()
            .orElseThrow();
    task.observations.stream()
        .filter(observation -> observation.by().respondedNs() < firstNs)
        .forEach(
            observation ->
                report.accept(
                    ViolationKind.PHANTOM,
                    "%s was seen by %s before anybody inserted it"
                        .formatted(observation.task().at(), observation.by())));
  }
}
