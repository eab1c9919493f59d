package io.entroq.service.admission;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Origin;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Calls that wait for one limit. Round robin over addresses, then over an address's connections,
 * then first in, first out: calls that wait for their own origin's share block no other origin. Not
 * thread-safe.
 */
final class FairQueue {
  private final Map<Origin, Map<Origin, Set<AdmissionTicket<?>>>> addresses = new LinkedHashMap<>();

  void add(AdmissionTicket<?> ticket) {
    addresses
        .computeIfAbsent(ticket.origin().address(), address -> new LinkedHashMap<>())
        .computeIfAbsent(ticket.origin(), connection -> new LinkedHashSet<>())
        .add(ticket);
  }

  /** Returns whether the call was in the queue. */
  boolean remove(AdmissionTicket<?> ticket) {
    Map<Origin, Set<AdmissionTicket<?>>> connections = addresses.get(ticket.origin().address());
    Set<AdmissionTicket<?>> tickets = connections == null ? null : connections.get(ticket.origin());
    if (tickets == null || !tickets.remove(ticket)) {
      return false;
    }
    if (tickets.isEmpty()) {
      connections.remove(ticket.origin());
    }
    if (connections.isEmpty()) {
      addresses.remove(ticket.origin().address());
    }
    return true;
  }

  /**
   * Removes the next call that fits; null if none does. A call that needs more than is left blocks
   * all others, or it would never be admitted.
   *
   * @param take takes room for a call, or returns why there is none
   */
  AdmissionTicket<?> poll(Function<AdmissionTicket<?>, Budget.Outcome> take) {
    for (Map<Origin, Set<AdmissionTicket<?>>> connections : addresses.values()) {
      for (Set<AdmissionTicket<?>> tickets : connections.values()) {
        AdmissionTicket<?> first = tickets.iterator().next();
        Budget.Outcome outcome = take.apply(first);
        if (outcome == Budget.Outcome.TAKEN) {
          rotate(first);
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

  /** Removes a call and moves its connection and address to the end. */
  private void rotate(AdmissionTicket<?> ticket) {
    Map<Origin, Set<AdmissionTicket<?>>> connections = addresses.remove(ticket.origin().address());
    Set<AdmissionTicket<?>> tickets = connections.remove(ticket.origin());
    tickets.remove(ticket);
    if (!tickets.isEmpty()) {
      connections.put(ticket.origin(), tickets);
    }
    if (!connections.isEmpty()) {
      addresses.put(ticket.origin().address(), connections);
    }
  }
}
