package io.entroq.system.history;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * What must hold of a read: a caller sees at least what he has done himself, and who looks at the
 * end sees what anybody has done.
 */
final class ReadRules {
  private final BiConsumer<Harm, String> report;

  ReadRules(BiConsumer<Harm, String> report) {
    this.report = report;
  }

  void check(History history, Lives lives) {
    Map<String, Life> byId =
        lives.all().stream().collect(Collectors.toMap(life -> life.id, life -> life));
    for (Operation op : history.operations()) {
      if (op.isDone() && op.asked().kind() == Kind.READ) {
        op.asked().ids().stream()
            .filter(byId::containsKey)
            .map(byId::get)
            .forEach(life -> check(op, life, true));
      } else if (op.isDone() && op.asked().kind() == Kind.AUDIT) {
        byId.values().forEach(life -> check(op, life, false));
      }
    }
  }

  private void check(Operation read, Life life, boolean isOwnOnly) {
    Harm harm = isOwnOnly ? Harm.STALE : Harm.LOST;
    int least = life.madeBefore(read, isOwnOnly);
    List<Seen> found =
        read.told().orElseThrow().tasks().stream()
            .filter(seen -> seen.id().equals(life.id))
            .toList();
    if (found.size() > 1) {
      report.accept(Harm.DOUBLED, "%s was seen twice by %s: %s".formatted(life.id, read, found));
    }
    if (found.isEmpty()) {
      if (least >= 0 && !life.mayBeDeletedFrom(least, read.toldNs())) {
        report.accept(
            harm,
            "%s@%d of %s is not there for %s, and nobody deleted it"
                .formatted(life.id, least, life.made.get(least), read));
      }
      return;
    }
    int version = found.get(0).version();
    if (version < least) {
      report.accept(
          harm,
          "%s is at @%d for %s, and was at @%d by %s"
              .formatted(life.id, version, read, least, life.made.get(least)));
    }
    life.deletes.stream()
        .filter(
            delete ->
                delete.by().isDone()
                    && delete.by().isBefore(read)
                    && (!isOwnOnly || Life.isKnownTo(delete.by(), read)))
        .forEach(
            delete ->
                report.accept(
                    harm,
                    "%s is there for %s, after %s had deleted it"
                        .formatted(found.get(0).at(), read, delete.by())));
  }
}
