package io.entroq.console.action;

import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.QueueStats;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Part;
import io.entroq.service.call.Method;
import java.util.List;
import java.util.Optional;

/**
 * What new rules block at once.
 *
 * @param now what they replace
 */
record PolicyBlock(Visit visit, Optional<PolicyState> now, Policy after) {
  /** A sentence about it; empty if nothing is blocked. */
  Optional<Part> note() {
    return switch (after.getKind()) {
      case POLICY_PREFIX -> prefix();
      case POLICY_LIMITER ->
          note("", now.map(PolicyState::getInFlight).orElse(0), after.getInFlightMax());
      case POLICY_QUEUE, UNRECOGNIZED -> pool().or(this::queue);
    };
  }

  private static Optional<Part> note(String where, long inFlight, int max) {
    return max == 0 || inFlight < max
        ? Optional.empty()
        : Optional.of(
            Part.Note.of(
                Part.Tone.PROBLEM,
                "%s%,d tasks are in flight, so no more start until fewer than %,d are."
                    .formatted(where, inFlight, max)));
  }

  private Optional<Part> queue() {
    long inFlight =
        visit.reads().stats(List.of(after.getName())).stream()
            .mapToLong(QueueStats::getInFlight)
            .sum();
    return note("", inFlight, after.getInFlightMax());
  }

  /** It is known how many are in flight in a pool only if it is one already. */
  private Optional<Part> pool() {
    return after.getPoolInFlightMax() == 0
        ? Optional.empty()
        : new PolicyUse(visit)
            .pool(after.getName())
            .flatMap(pool -> note("In the pool, ", pool.getInFlight(), after.getPoolInFlightMax()));
  }

  /** Of the queue with the most tasks in flight, unless it has a policy of its own. */
  private Optional<Part> prefix() {
    return visit
        .reads()
        .ask(
            Method.SEARCH_QUEUES,
            SearchQueuesRequest.newBuilder()
                .setPrefix(after.getName())
                .setSort("in_flight")
                .setDescending(true)
                .setLimit(1)
                .build())
        .getQueuesList()
        .stream()
        .filter(queue -> !hasOwn(queue))
        .findFirst()
        .flatMap(
            queue ->
                note(
                    "In the queue %s, ".formatted(queue.getName()),
                    queue.getInFlight(),
                    after.getInFlightMax()));
  }

  private boolean hasOwn(QueueFigures queue) {
    return visit
        .reads()
        .policy(PolicyKind.POLICY_QUEUE, queue.getName())
        .filter(PolicyState::getHasRules)
        .isPresent();
  }
}
