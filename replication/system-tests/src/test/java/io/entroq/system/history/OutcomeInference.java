package io.entroq.system.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Infers unknown outcomes from what other operations observed. An operation that is shown to have
 * happened then counts as acknowledged, in full and once.
 */
final class OutcomeInference {
  private final History history;

  /** When operations had happened at the latest, by their names. */
  private final Map<String, Long> doneNs = new HashMap<>();

  private OutcomeInference(History history) {
    this.history = history;
  }

  /** Returns the history with {@link Outcome#INFERRED} outcomes. */
  static History complete(History history) {
    OutcomeInference values = new OutcomeInference(history);
    values.findByValues();
    OutcomeInference absences = new OutcomeInference(values.inferred());
    absences.findByAbsences();
    return absences.inferred();
  }

  /** From a value that only one operation writes. */
  private void findByValues() {
    TaskHistories tasks = TaskHistories.of(history);
    for (TaskHistory task : tasks.all()) {
      for (TaskHistory.Observation observation : task.observations) {
        Optional.ofNullable(tasks.operation(observation.task().writer()))
            .filter(writer -> writer.writeOf(task.id).isPresent())
            .ifPresent(writer -> infer(writer, observation.by()));
      }
    }
  }

  /** From a missing task that only one operation can have deleted. */
  private void findByAbsences() {
    TaskHistories tasks = TaskHistories.of(history);
    history.operations().stream()
        .filter(op -> op.invocation().kind() == OperationKind.AUDIT && op.isDone())
        .forEach(audit -> tasks.all().forEach(task -> findByAbsence(task, audit)));
  }

  private void findByAbsence(TaskHistory task, Operation audit) {
    int made = task.createdBefore(audit, false);
    if (made < 0
        || task.observations.stream().anyMatch(observation -> observation.by().equals(audit))) {
      return;
    }
    List<Operation> deleters = task.deletersFrom(made, audit.respondedNs());
    if (deleters.size() == 1) {
      infer(deleters.get(0), audit);
    }
  }

  private void infer(Operation op, Operation evidence) {
    if (op.outcome() == Outcome.UNKNOWN) {
      doneNs.merge(op.op(), evidence.respondedNs(), Math::min);
    }
  }

  private History inferred() {
    return new History(history.operations().stream().map(this::inferred).toList());
  }

  private Operation inferred(Operation op) {
    Long byNs = doneNs.get(op.op());
    return byNs == null
        ? op
        : new Operation(
            op.invocation(),
            Optional.of(
                new Response(op.op(), byNs, Outcome.INFERRED, List.of(), List.of(), List.of())));
  }
}
