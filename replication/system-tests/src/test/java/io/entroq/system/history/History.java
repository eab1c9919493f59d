package io.entroq.system.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All operations, in the order of their invocations. Immutable. */
public record History(List<Operation> operations) {
  public History {
    operations =
        operations.stream().sorted(Comparator.comparingLong(Operation::invokedNs)).toList();
  }

  /** Joins invocations and responses. */
  public static History of(Collection<Invocation> invocation, Collection<Response> response) {
    Map<String, Response> ends = new HashMap<>();
    response.forEach(end -> ends.put(end.op(), end));
    return new History(
        invocation.stream()
            .map(begin -> new Operation(begin, Optional.ofNullable(ends.get(begin.op()))))
            .toList());
  }

  /** Adds the operations of another history. */
  public History and(History other) {
    List<Operation> all = new ArrayList<>(operations);
    all.addAll(other.operations);
    return new History(all);
  }

  /** The number of operations by kind and outcome. */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (OperationKind kind : OperationKind.values()) {
      for (Outcome outcome : Outcome.values()) {
        long count =
            operations.stream()
                .filter(op -> op.invocation().kind() == kind && op.outcome() == outcome)
                .count();
        if (count > 0) {
          counts.put(kind + " " + outcome, count);
        }
      }
    }
    return counts;
  }
}
