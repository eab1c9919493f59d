package io.entroq.system.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All operations, in the order in which they were asked. Immutable. */
public record History(List<Operation> operations) {
  /** Puts them in order. */
  public History {
    operations = operations.stream().sorted(Comparator.comparingLong(Operation::askedNs)).toList();
  }

  /** Puts together what was asked and what was told. */
  public static History of(Collection<Asked> asked, Collection<Told> told) {
    Map<String, Told> ends = new HashMap<>();
    told.forEach(end -> ends.put(end.op(), end));
    return new History(
        asked.stream()
            .map(begin -> new Operation(begin, Optional.ofNullable(ends.get(begin.op()))))
            .toList());
  }

  /** The same with what is in the other one. */
  public History and(History other) {
    List<Operation> all = new ArrayList<>(operations);
    all.addAll(other.operations);
    return new History(all);
  }

  /** How many operations ended in which way. */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (Kind kind : Kind.values()) {
      for (Outcome outcome : Outcome.values()) {
        long count =
            operations.stream()
                .filter(op -> op.asked().kind() == kind && op.outcome() == outcome)
                .count();
        if (count > 0) {
          counts.put(kind + " " + outcome, count);
        }
      }
    }
    return counts;
  }
}
