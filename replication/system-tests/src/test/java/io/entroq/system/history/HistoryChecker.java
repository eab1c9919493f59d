package io.entroq.system.history;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Finds violations in a history: effects that are impossible for a queue that loses nothing and
 * does nothing twice. An operation with an unknown outcome may or may not have happened, unless
 * another operation shows which.
 *
 * <p>It relies on two properties of {@link Operation}s: an id is inserted only once, and a value
 * names the operation that wrote it.
 */
public final class HistoryChecker {
  private final CheckConfig config;
  private final List<Violation> violations = new ArrayList<>();

  private HistoryChecker(CheckConfig config) {
    this.config = config;
  }

  /** Returns all violations; empty if the history is valid. */
  public static List<Violation> check(History history, CheckConfig config) {
    HistoryChecker checker = new HistoryChecker(config);
    checker.check(history);
    return List.copyOf(checker.violations);
  }

  private void check(History history) {
    History inferred = OutcomeInference.complete(history);
    TaskHistories tasks = TaskHistories.of(inferred);
    VersionRules steps = new VersionRules(this::report);
    ObservationRules observations = new ObservationRules(tasks, this::report);
    LeaseRule leases = new LeaseRule(config.leaseParts(), this::report);
    for (TaskHistory task : tasks.all()) {
      steps.check(task);
      observations.check(task);
      leases.check(task);
    }
    new ReadRules(this::report).check(inferred, tasks);
    history.operations().forEach(this::checkResponse);
  }

  /** Each operation ends in time, and a Modify writes what it was told to write. */
  private void checkResponse(Operation op) {
    if (op.response().isEmpty()) {
      if (!config.dead().contains(op.invocation().caller())) {
        report(ViolationKind.STUCK, op + " never ended");
      }
      return;
    }
    Response response = op.response().get();
    long tookMs = TimeUnit.NANOSECONDS.toMillis(response.atNs() - op.invokedNs());
    if (tookMs > op.invocation().limitMs()) {
      report(
          ViolationKind.STUCK,
          "%s took %d ms, more than %d ms".formatted(op, tookMs, op.invocation().limitMs()));
    }
    if (op.invocation().kind() != OperationKind.MODIFY) {
      return;
    }
    if (op.outcome() == Outcome.UNKNOWN
        && tookMs < config.certaintyMs()
        && !config.plain().contains(op.invocation().caller())) {
      report(ViolationKind.STUCK, "%s was given up after %d ms".formatted(op, tookMs));
    }
    if (op.isDone()) {
      List<TaskVersion> expected =
          op.invocation().writes().stream()
              .map(write -> new TaskVersion(write.id(), write.version()))
              .toList();
      List<TaskVersion> written = response.written().stream().map(ObservedTask::at).toList();
      if (!expected.equals(written)) {
        report(
            ViolationKind.PHANTOM,
            "%s must write %s, but wrote %s".formatted(op, expected, written));
      }
    }
  }

  private void report(ViolationKind kind, String what) {
    violations.add(new Violation(kind, what));
  }
}
