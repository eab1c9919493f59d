package io.entroq.system.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sorts what operations say by task. */
final class Lives {
  private final Map<String, Life> lives = new HashMap<>();
  private final Map<String, Operation> operations = new HashMap<>();

  static Lives of(History history) {
    Lives lives = new Lives();
    for (Operation op : history.operations()) {
      lives.operations.put(op.op(), op);
      lives.note(op);
    }
    return lives;
  }

  Collection<Life> all() {
    return lives.values();
  }

  /** Null: there is none of that name. */
  Operation operation(String name) {
    return operations.get(name);
  }

  private Life life(String id) {
    return lives.computeIfAbsent(id, Life::new);
  }

  private void note(Operation op) {
    for (Written write : op.asked().writes()) {
      noteWrite(op, write);
    }
    for (TaskVersion delete : op.asked().deletes()) {
      Life life = life(delete.id());
      life.deletes.add(new Life.Trace(op, delete.version()));
      if (op.isDone()) {
        add(life.ended, delete.version(), op);
      }
    }
    op.told().ifPresent(told -> noteAnswer(op, told));
  }

  private void noteWrite(Operation op, Written write) {
    Life life = life(write.id());
    if (write.isInsert()) {
      life.inserts.add(op);
    } else {
      life.changes.add(new Life.Trace(op, write.version()));
    }
    if (op.isDone()) {
      add(life.made, write.version(), op);
      if (!write.isInsert()) {
        add(life.ended, write.version() - 1, op);
      }
    }
  }

  private void noteAnswer(Operation op, Told told) {
    boolean isRead = op.asked().kind() == Kind.READ || op.asked().kind() == Kind.AUDIT;
    for (Seen seen : told.tasks()) {
      Life life = life(seen.id());
      life.sights.add(new Life.Sight(op, seen));
      if (!isRead) {
        add(life.made, seen.version(), op);
        add(life.ended, seen.version() - 1, op);
      }
    }
    told.written().forEach(seen -> life(seen.id()).sights.add(new Life.Sight(op, seen)));
    told.missing().forEach(at -> life(at.id()).denials.add(new Life.Trace(op, at.version())));
  }

  private static void add(Map<Integer, List<Operation>> steps, int version, Operation op) {
    steps.computeIfAbsent(version, unused -> new ArrayList<>()).add(op);
  }
}
