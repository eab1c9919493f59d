package io.entroq.engine.listing;

import io.entroq.codec.result.ListPoliciesDecoder;
import io.entroq.engine.policy.PolicyStore;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.task.Bytes;

/** Lists policies and limiters, a slice at a time. */
public final class PolicyLister {

  /** The effort to look at a policy and to show it, where skipping a free slot is 1. */
  private static final int LOOK_EFFORT = 8;

  private static final int SHOW_EFFORT = 32;

  private final PolicyStore policies;
  private final PolicyView view;
  private final Bytes name = new Bytes();

  public PolicyLister(PolicyStore policies) {
    this.policies = policies;
    this.view = new PolicyView(policies);
  }

  /**
   * Continues a listing.
   *
   * @param effort how much work to do, in free slots skipped; a policy counts for many
   * @return false if the sink is full or the listing is complete
   */
  public boolean list(PolicyCursor cursor, int effort, PolicyVisitor sink) {
    if (!cursor.isBegun) {
      cursor.isBegun = true;
      cursor.end = policies.highWater();
    }
    int left = effort;
    while (left > 0 && !cursor.isDone()) {
      if (!policies.isAlive(cursor.next)) {
        left--;
      } else if (!matches(cursor.query, cursor.next)) {
        left -= LOOK_EFFORT;
      } else if (sink.onPolicy(view.of(cursor.next))) {
        left -= SHOW_EFFORT;
        cursor.left--;
      } else {
        return false;
      }
      cursor.next++;
    }
    return !cursor.isDone();
  }

  private boolean matches(ListPoliciesDecoder query, int policy) {
    if (query.hasKind() && policies.kind(policy) != query.kind()) {
      return false;
    }
    policies.name(policy, name);
    return name.startsWith(query.buffer(), query.prefixOffset(), query.prefixLength());
  }
}
