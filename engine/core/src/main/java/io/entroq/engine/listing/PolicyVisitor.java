package io.entroq.engine.listing;

import io.entroq.engine.policy.PolicyView;

/** Receives the policies of a listing, on the applying thread. */
public interface PolicyVisitor {

  /**
   * Visits a policy, which is valid only during the call.
   *
   * @return false if there is no room for it: the listing stops before it
   */
  boolean onPolicy(PolicyView policy);
}
