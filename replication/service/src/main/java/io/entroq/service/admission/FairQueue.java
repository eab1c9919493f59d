package io.entroq.service.admission;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Origin;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Calls that wait for their turn: those of one connection behind each other, connections of one
 * address in turn, and addresses in turn. So nobody waits for those who wait for their own share.
 * Not safe for several threads.
 */
final class FairQueue {
  private final Map<Origin, Map<Origin, Set<AdmissionTicket<?>>>> addresses = new LinkedHashMap<>();

  void add(AdmissionTicket<?> turn) {
    addresses
        .computeIfAbsent(turn.origin().address(), address -> new LinkedHashMap<>())
        .computeIfAbsent(turn.origin(), connection -> new LinkedHashSet<>())
        .add(turn);
  }

  /** Whether it was there. */
  boolean remove(AdmissionTicket<?> turn) {
    Map<Origin, Set<AdmissionTicket<?>>> connections = addresses.get(turn.origin().address());
    Set<AdmissionTicket<?>> turns = connections == null ? null : connections.get(turn.origin());
    if (turns == null || !turns.remove(turn)) {
      return false;
    }
    if (turns.isEmpty()) {
      connections.remove(turn.origin());
    }
    if (connections.isEmpty()) {
      addresses.remove(turn.origin().address());
    }
    return true;
  }

  /**
   * Takes out the one whose turn it is; null if there is none for which there is room. For one that
   * is larger than what is left all others wait, or it would never be its turn.
   *
   * @param room makes room for a call, or says why there is none
   */
  AdmissionTicket<?> poll(Function<AdmissionTicket<?>, Budget.Outcome> room) {
    for (Map<Origin, Set<AdmissionTicket<?>>> connections : addresses.values()) {
      for (Set<AdmissionTicket<?>> turns : connections.values()) {
        AdmissionTicket<?> first = turns.iterator().next();
        Budget.Outcome outcome = room.apply(first);
        if (outcome == Budget.Outcome.TAKEN) {
          moveBehind(first);
          return first;
        }
        if (outcome == Budget.Outcome.FULL) {
          return null;
        }
        if (outcome == Budget.Outcome.ADDRESS_FULL) {
          break;
        }
      }
    }
    return null;
  }

  /** Removes a call, and puts what else its connection and its address have behind all others. */
  private void moveBehind(AdmissionTicket<?> turn) {
    Map<Origin, Set<AdmissionTicket<?>>> connections = addresses.remove(turn.origin().address());
    Set<AdmissionTicket<?>> turns = connections.remove(turn.origin());
    turns.remove(turn);
    if (!turns.isEmpty()) {
      connections.put(turn.origin(), turns);
    }
    if (!connections.isEmpty()) {
      addresses.put(turn.origin().address(), connections);
    }
  }
}
