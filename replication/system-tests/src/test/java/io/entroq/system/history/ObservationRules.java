package io.entroq.system.history;

import java.util.Optional;
import java.util.function.BiConsumer;

/** The value of an observed task was written, and is the newest. */
final class ObservationRules {
  private final TaskHistories tasks;
  private final BiConsumer<ViolationKind, String> report;

  ObservationRules(TaskHistories tasks, BiConsumer<ViolationKind, String> report) {
    this.tasks = tasks;
    this.report = report;
  }

  void check(TaskHistory task) {
    for (TaskHistory.Observation observation : task.observations) {
      checkWriter(task, observation);
      checkCount(task, observation);
    }
  }

  private void checkWriter(TaskHistory task, TaskHistory.Observation observation) {
    ObservedTask observed = observation.task();
    Operation writer = tasks.operation(observed.writer());
    Optional<TaskWrite> write = Optional.ofNullable(writer).flatMap(op -> op.writeOf(task.id));
    if (write.isEmpty()) {
      report.accept(
          ViolationKind.PHANTOM,
          "%s was seen by %s with the value of %s, who never wrote it"
              .formatted(observed.at(), observation.by(), observed.writer()));
    } else if (!writer.outcome().mayBeDone()) {
      report.accept(
          ViolationKind.PHANTOM,
          "%s was seen by %s with the value of %s"
              .formatted(observed.at(), observation.by(), writer));
    } else if (write.get().version() > observed.version()
        || !write.get().queue().equals(observed.queue())) {
      report.accept(
          ViolationKind.PHANTOM,
          "%s was seen by %s in %s with the value that %s wrote to %s@%d"
              .formatted(
                  observed.at(),
                  observation.by(),
                  observed.queue(),
                  writer,
                  write.get().queue(),
                  write.get().version()));
    } else {
      checkNewest(task, observation, write.get());
    }
  }

  /** A change between the write of the value and the observed version must not be lost. */
  private void checkNewest(TaskHistory task, TaskHistory.Observation observation, TaskWrite write) {
    for (TaskHistory.Step change : task.changes) {
      if (change.by().isDone()
          && change.version() > write.version()
          && change.version() <= observation.task().version()) {
        report.accept(
            ViolationKind.LOST,
            "%s was seen by %s with the value of %s, without that of %s for @%d"
                .formatted(
                    observation.task().at(),
                    observation.by(),
                    observation.task().writer(),
                    change.by(),
                    change.version()));
      }
    }
  }

  /**
   * Each change and each claim creates one version. A claim that is returned creates two and does
   * not count, so the remaining versions are even.
   */
  private void checkCount(TaskHistory task, TaskHistory.Observation observation) {
    int version = observation.task().version();
    long changes =
        task.changes.stream()
            .filter(change -> change.by().isDone() && change.version() <= version)
            .map(TaskHistory.Step::version)
            .distinct()
            .count();
    boolean isSure =
        task.changes.stream()
            .noneMatch(
                change -> change.by().outcome() == Outcome.UNKNOWN && change.version() <= version);
    long rest = version - observation.task().claims() - changes;
    if (rest < 0 || (isSure && rest % 2 != 0)) {
      report.accept(
          rest < 0 ? ViolationKind.LOST : ViolationKind.PHANTOM,
          "%s was seen by %s with %d claims, and %d changes were made: %d versions too many"
              .formatted(
                  observation.task().at(),
                  observation.by(),
                  observation.task().claims(),
                  changes,
                  rest));
    }
  }
}
