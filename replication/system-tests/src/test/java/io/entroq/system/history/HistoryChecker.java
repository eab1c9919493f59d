package io.entroq.system.history;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Looks in a history for what cannot be of a queue that loses nothing and does nothing twice,
 * whatever happens to its members. Of what nobody knows whether it was done, both may be true,
 * unless somebody has seen what came of it.
 *
 * <p>It relies on what {@link Operation}s keep to: an id is inserted once only, and a value names
 * the operation that wrote it.
 */
public final class HistoryChecker {
  private final CheckConfig config;
  private final List<Finding> findings = new ArrayList<>();

  private HistoryChecker(CheckConfig config) {
    this.config = config;
  }

  /** What cannot be; empty if all is well. */
  public static List<Finding> check(History history, CheckConfig config) {
    HistoryChecker checker = new HistoryChecker(config);
    checker.check(history);
    return List.copyOf(checker.findings);
  }

  private void check(History history) {
    History proven = Proofs.complete(history);
    Lives lives = Lives.of(proven);
    StepRules steps = new StepRules(this::report);
    SightRules sights = new SightRules(lives, this::report);
    LeaseRule leases = new LeaseRule(config.leaseParts(), this::report);
    for (Life life : lives.all()) {
      steps.check(life);
      sights.check(life);
      leases.check(life);
    }
    new ReadRules(this::report).check(proven, lives);
    history.operations().forEach(this::checkAnswer);
  }

  /** Each operation ends in time, and a Modify is answered with what it asked for. */
  private void checkAnswer(Operation op) {
    if (op.told().isEmpty()) {
      if (!config.dead().contains(op.asked().caller())) {
        report(Harm.STUCK, op + " never ended");
      }
      return;
    }
    Told told = op.told().get();
    long tookMs = TimeUnit.NANOSECONDS.toMillis(told.atNs() - op.askedNs());
    if (tookMs > op.asked().patienceMs()) {
      report(
          Harm.STUCK,
          "%s took %d ms, and was to end within %d ms"
              .formatted(op, tookMs, op.asked().patienceMs()));
    }
    if (op.asked().kind() != Kind.MODIFY) {
      return;
    }
    if (op.outcome() == Outcome.UNKNOWN && tookMs < config.certaintyMs()) {
      report(Harm.STUCK, "%s was given up after %d ms".formatted(op, tookMs));
    }
    if (op.isDone()) {
      List<TaskVersion> asked =
          op.asked().writes().stream()
              .map(write -> new TaskVersion(write.id(), write.version()))
              .toList();
      List<TaskVersion> written = told.written().stream().map(Seen::at).toList();
      if (!asked.equals(written)) {
        report(Harm.PHANTOM, "%s was to write %s and wrote %s".formatted(op, asked, written));
      }
    }
  }

  private void report(Harm harm, String what) {
    findings.add(new Finding(harm, what));
  }
}
