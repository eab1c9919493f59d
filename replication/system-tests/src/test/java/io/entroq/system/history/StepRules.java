package io.entroq.system.history;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** What must hold of the versions of a task: each is made once and ended once. */
final class StepRules {
  private final BiConsumer<Harm, String> report;

  StepRules(BiConsumer<Harm, String> report) {
    this.report = report;
  }

  void check(Life life) {
    if (life.inserts.stream().noneMatch(op -> op.outcome().mayBeDone())) {
      checkNeverInserted(life);
      return;
    }
    checkOnce(life, life.made, "made");
    checkOnce(life, life.ended, "ended");
    life.deletes.stream()
        .filter(delete -> delete.by().isDone())
        .forEach(delete -> checkEnd(life, delete));
    life.denials.forEach(denial -> checkDenial(life, denial));
    checkBegin(life);
  }

  private void checkNeverInserted(Life life) {
    for (Life.Sight sight : life.sights) {
      report.accept(
          Harm.PHANTOM,
          "%s was seen by %s, and %s inserted it"
              .formatted(
                  sight.seen().at(),
                  sight.by(),
                  life.inserts.isEmpty() ? "nobody" : "only who was refused: " + life.inserts));
    }
    life.ended.forEach(
        (version, by) ->
            report.accept(
                Harm.PHANTOM,
                "%s@%d was ended by %s, but never there".formatted(life.id, version, by)));
  }

  private void checkOnce(Life life, Map<Integer, List<Operation>> steps, String what) {
    steps.forEach(
        (version, by) -> {
          if (by.size() > 1) {
            report.accept(
                Harm.DOUBLED,
                "%s@%d was %s %d times: %s".formatted(life.id, version, what, by.size(), by));
          }
        });
  }

  /** Nothing comes after a deletion. */
  private void checkEnd(Life life, Life.Trace delete) {
    if (life.lastMade() > delete.version()) {
      report.accept(
          Harm.DOUBLED,
          "%s@%d was deleted by %s, and went on to @%d: %s"
              .formatted(
                  life.id,
                  delete.version(),
                  delete.by(),
                  life.lastMade(),
                  life.made.get(life.lastMade())));
    }
    for (Life.Sight sight : life.sights) {
      if (sight.seen().version() > delete.version()) {
        report.accept(
            Harm.DOUBLED,
            "%s@%d was deleted by %s, and seen at @%d by %s"
                .formatted(
                    life.id, delete.version(), delete.by(), sight.seen().version(), sight.by()));
      }
    }
  }

  /** Who was told that a version is missing which was there before and was there later. */
  private void checkDenial(Life life, Life.Trace denial) {
    List<Operation> makers = life.made.getOrDefault(denial.version(), List.of());
    List<Operation> enders = life.ended.getOrDefault(denial.version(), List.of());
    boolean wasThere = makers.stream().anyMatch(op -> op.isBefore(denial.by()));
    boolean wasStillThere =
        enders.stream().anyMatch(op -> denial.by().isBefore(op))
            || life.isAuditedAfter(denial.by(), denial.version());
    if (wasThere && wasStillThere) {
      report.accept(
          Harm.LOST,
          "%s@%d was denied to %s, though %s had made it; it was there later, and was ended by %s"
              .formatted(life.id, denial.version(), denial.by(), makers, enders));
    }
  }

  /** Nobody sees a task before anybody has asked for it. */
  private void checkBegin(Life life) {
    long firstNs =
        life.inserts.stream()
            .filter(op -> op.outcome().mayBeDone())
            .mapToLong(Operation::askedNs)
            .min()
            .orElseThrow();
    life.sights.stream()
        .filter(sight -> sight.by().toldNs() < firstNs)
        .forEach(
            sight ->
                report.accept(
                    Harm.PHANTOM,
                    "%s was seen by %s before anybody inserted it"
                        .formatted(sight.seen().at(), sight.by())));
  }
}
