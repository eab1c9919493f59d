package io.entroq.system.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out what was done though nobody was told so, by what others have seen of it. All of such an
 * operation was done then, and once, as if it had been acknowledged.
 */
final class Proofs {
  private final History history;

  /** By when operations had been done, by their names. */
  private final Map<String, Long> doneNs = new HashMap<>();

  private Proofs(History history) {
    this.history = history;
  }

  /** The same history, where what is proven is {@link Outcome#PROVEN}. */
  static History complete(History history) {
    Proofs values = new Proofs(history);
    values.findByValues();
    Proofs absences = new Proofs(values.proven());
    absences.findByAbsences();
    return absences.proven();
  }

  /** Somebody was shown a value that nobody else writes. */
  private void findByValues() {
    Lives lives = Lives.of(history);
    for (Life life : lives.all()) {
      for (Life.Sight sight : life.sights) {
        Optional.ofNullable(lives.operation(sight.seen().writer()))
            .filter(writer -> writer.writeOf(life.id).isPresent())
            .ifPresent(writer -> prove(writer, sight.by()));
      }
    }
  }

  /** A task is there no more, and nobody else can have deleted it. */
  private void findByAbsences() {
    Lives lives = Lives.of(history);
    history.operations().stream()
        .filter(op -> op.asked().kind() == Kind.AUDIT && op.isDone())
        .forEach(audit -> lives.all().forEach(life -> findByAbsence(life, audit)));
  }

  private void findByAbsence(Life life, Operation audit) {
    int made = life.madeBefore(audit, false);
    if (made < 0 || life.sights.stream().anyMatch(sight -> sight.by().equals(audit))) {
      return;
    }
    List<Operation> deleters = life.deletersFrom(made, audit.toldNs());
    if (deleters.size() == 1) {
      prove(deleters.get(0), audit);
    }
  }

  private void prove(Operation op, Operation witness) {
    if (op.outcome() == Outcome.UNKNOWN) {
      doneNs.merge(op.op(), witness.toldNs(), Math::min);
    }
  }

  private History proven() {
    return new History(history.operations().stream().map(this::proven).toList());
  }

  private Operation proven(Operation op) {
    Long byNs = doneNs.get(op.op());
    return byNs == null
        ? op
        : new Operation(
            op.asked(),
            Optional.of(new Told(op.op(), byNs, Outcome.PROVEN, List.of(), List.of(), List.of())));
  }
}
