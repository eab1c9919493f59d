package io.entroq.api.worker;

import io.entroq.api.Modification;
import io.entroq.api.TaskQuery;
import java.util.List;

/** What is to be asked of the queue about some leases; {@link Leases} wants to hear the answer. */
public sealed interface LeaseCall {
  /** Whom it is about. */
  List<Lease> leases();

  /**
   * Have leases renewed. Then {@link Leases#renewed} or {@link Leases#failed}.
   *
   * @param leases in the order of the changes
   * @param modification what to do
   * @param sentNanos since when the new leases count
   */
  record Renewal(List<Lease> leases, Modification modification, long sentNanos)
      implements LeaseCall {}

  /**
   * Look up tasks of which it is not known whether they were renewed. Then {@link Leases#lookedUp}
   * or {@link Leases#failed}.
   *
   * @param leases whose tasks they are
   * @param query which tasks
   */
  record LookUp(List<Lease> leases, TaskQuery query) implements LeaseCall {}
}
