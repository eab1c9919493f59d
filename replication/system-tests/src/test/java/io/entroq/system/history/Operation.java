package io.entroq.system.history;

import java.util.Optional;

/**
 * An invocation and its response.
 *
 * @param response empty if the caller died before
 */
public record Operation(Invocation invocation, Optional<Response> response) {
  public String op() {
    return invocation.op();
  }

  public long invokedNs() {
    return invocation.atNs();
  }

  /** {@link Long#MAX_VALUE} without a response. */
  public long respondedNs() {
    return response.map(Response::atNs).orElse(Long.MAX_VALUE);
  }

  public Outcome outcome() {
    return response.map(Response::outcome).orElse(Outcome.UNKNOWN);
  }

  /** Whether it certainly happened. */
  public boolean isDone() {
    return outcome().isDone();
  }

  /** Whether its caller was told that it happened. */
  boolean isAcknowledged() {
    return outcome() == Outcome.DONE;
  }

  /** Whether it ended before the other one began. */
  public boolean isBefore(Operation other) {
    return respondedNs() < other.invokedNs();
  }

  Optional<TaskWrite> writeOf(String id) {
    return invocation.writes().stream().filter(write -> write.id().equals(id)).findFirst();
  }

  @Override
  public String toString() {
    return op() + " (" + invocation.kind() + ", " + outcome() + ")";
  }
}
