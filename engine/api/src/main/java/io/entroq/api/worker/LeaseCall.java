package io.entroq.api.worker;

import io.entroq.api.Modification;
import io.entroq.api.TaskQuery;
import java.util.List;

/** A request about some leases to send to the queue; report its reply to {@link Leases}. */
public sealed interface LeaseCall {
  /** The leases concerned. */
  List<Lease> leases();

  /**
   * Renews leases. Report to {@link Leases#renewed} or {@link Leases#failed}.
   *
   * @param leases in the order of the changes
   * @param modification the request
   * @param sentNanos when the renewed leases start
   */
  record Renewal(List<Lease> leases, Modification modification, long sentNanos)
      implements LeaseCall {}

  /**
   * Reads tasks whose renewal is uncertain. Report to {@link Leases#lookedUp} or {@link
   * Leases#failed}.
   *
   * @param leases the leases of the tasks
   * @param query the request
   */
  record LookUp(List<Lease> leases, TaskQuery query) implements LeaseCall {}
}
