package io.entroq.service.queue;

import io.entroq.engine.gateway.RevocableClaim;
import io.entroq.service.call.Call;
import java.util.function.Supplier;

/**
 * A request that may be assigned tasks at once. They belong to its caller once the response has
 * left; if the call ends before that, they are given back.
 */
final class AssigningCall implements Call {
  private RevocableClaim claim;

  AssigningCall() {}

  /** Submits the request. Synchronized: events about it wait until it is known. */
  synchronized AssigningCall start(Supplier<RevocableClaim> submission) {
    claim = submission.get();
    return this;
  }

  /** Gives back what was assigned, since there is no room for it in a response. */
  synchronized void refuse() {
    claim.refuse();
  }

  @Override
  public synchronized void cancel() {
    if (claim != null) {
      claim.cancel();
    }
  }

  @Override
  public synchronized void delivered() {
    if (claim != null) {
      claim.settle();
    }
  }
}
