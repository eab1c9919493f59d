package io.entroq.system.history;

import java.util.Optional;
import java.util.function.BiConsumer;

/** What must hold of a task as somebody saw it: somebody wrote it, and nobody has since. */
final class SightRules {
  private final Lives lives;
  private final BiConsumer<Harm, String> report;

  SightRules(Lives lives, BiConsumer<Harm, String> report) {
    this.lives = lives;
    this.report = report;
  }

  void check(Life life) {
    for (Life.Sight sight : life.sights) {
      checkWriter(life, sight);
      checkCount(life, sight);
    }
  }

  private void checkWriter(Life life, Life.Sight sight) {
    Seen seen = sight.seen();
    Operation writer = lives.operation(seen.writer());
    Optional<Written> write = Optional.ofNullable(writer).flatMap(op -> op.writeOf(life.id));
    if (write.isEmpty()) {
      report.accept(
          Harm.PHANTOM,
          "%s was seen by %s with the value of %s, who never wrote it"
              .formatted(seen.at(), sight.by(), seen.writer()));
    } else if (!writer.outcome().mayBeDone()) {
      report.accept(
          Harm.PHANTOM,
          "%s was seen by %s with the value of %s".formatted(seen.at(), sight.by(), writer));
    } else if (write.get().version() > seen.version()
        || !write.get().queue().equals(seen.queue())) {
      report.accept(
          Harm.PHANTOM,
          "%s was seen by %s in %s with the value that %s wrote to %s@%d"
              .formatted(
                  seen.at(),
                  sight.by(),
                  seen.queue(),
                  writer,
                  write.get().queue(),
                  write.get().version()));
    } else {
      checkNewest(life, sight, write.get());
    }
  }

  /** What was written between the value that was seen and the version that was seen is lost. */
  private void checkNewest(Life life, Life.Sight sight, Written write) {
    for (Life.Trace change : life.changes) {
      if (change.by().isDone()
          && change.version() > write.version()
          && change.version() <= sight.seen().version()) {
        report.accept(
            Harm.LOST,
            "%s was seen by %s with the value of %s, without that of %s for @%d"
                .formatted(
                    sight.seen().at(),
                    sight.by(),
                    sight.seen().writer(),
                    change.by(),
                    change.version()));
      }
    }
  }

  /**
   * Each change makes one version and each claim one; a claim that is given back makes two, and
   * does not count. So what is left of a version is even.
   */
  private void checkCount(Life life, Life.Sight sight) {
    int version = sight.seen().version();
    long changes =
        life.changes.stream()
            .filter(change -> change.by().isDone() && change.version() <= version)
            .map(Life.Trace::version)
            .distinct()
            .count();
    boolean isSure =
        life.changes.stream()
            .noneMatch(
                change -> change.by().outcome() == Outcome.UNKNOWN && change.version() <= version);
    long rest = version - sight.seen().claims() - changes;
    if (rest < 0 || (isSure && rest % 2 != 0)) {
      report.accept(
          rest < 0 ? Harm.LOST : Harm.PHANTOM,
          "%s was seen by %s with %d claims, and %d changes were made: %d versions too many"
              .formatted(sight.seen().at(), sight.by(), sight.seen().claims(), changes, rest));
    }
  }
}
