package io.entroq.service.queue;

import io.entroq.engine.gateway.RevocableClaim;
import io.entroq.service.call.Call;
import java.util.function.Supplier;

/**
 * A call that may claim tasks at once. They belong to its caller once the response has been sent;
 * if the call ends before that, they are given back.
 */
final class AssigningCall implements Call {
  private RevocableClaim claim;

  /** Submits the request. Synchronized, so that events wait until the claim is known. */
  synchronized AssigningCall start(Supplier<RevocableClaim> submission) {
    claim = submission.get();
    return this;
  }

  /** Gives the tasks back, since a response has no room for them. */
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
