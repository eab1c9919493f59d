package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Task;

/**
 * A task as it stands.
 *
 * @param fields everything that the outside can see
 * @param insertedAt the sequence of the record that inserted it: an id may be used again, and then
 *     versions start anew (core 3.6)
 * @param order its place among tasks of equal arrival time: later writes come later
 */
record ModelTask(Task fields, long insertedAt, long order) implements Comparable<ModelTask> {
  Key key() {
    return Key.of(fields.getId());
  }

  /** Contract 2.1: available if and only if the arrival time is not after now. */
  boolean isAvailable(long nowMs) {
    return fields.getArrivalMs() <= nowMs;
  }

  /** Contract 2.4.1: under the unexpired lease of somebody who is not the requester. */
  boolean isOtherwiseClaimed(Id requester, long nowMs) {
    Key holder = Key.of(fields.getClaimant());
    return !isAvailable(nowMs) && !holder.isNobody() && !holder.equals(Key.of(requester));
  }

  /** Core 3.1: the v1 API compares texts whole, the v0 API sees only the key. */
  boolean hasText(Id id) {
    return fields.getId().getText().equals(id.getText());
  }

  @Override
  public int compareTo(ModelTask other) {
    int byArrival = Long.compare(fields.getArrivalMs(), other.fields.getArrivalMs());
    return byArrival != 0 ? byArrival : Long.compare(order, other.order);
  }
}
