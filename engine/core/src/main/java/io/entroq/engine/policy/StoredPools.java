package io.entroq.engine.policy;

import io.entroq.codec.message.PolicyKinds;
import io.entroq.engine.memory.Slab;
import org.agrona.DirectBuffer;

/** The stored policies that make queues pools or topics. */
final class StoredPools implements PoolNames.Policies {

  private final PolicyStore policies;

  StoredPools(PolicyStore policies) {
    this.policies = policies;
  }

  @Override
  public int find(DirectBuffer buffer, int offset, int length) {
    int policy = policies.find(PolicyKinds.QUEUE, buffer, offset, length);
    return policy != Slab.NONE && policies.hasShape(policy) ? policy : Slab.NONE;
  }

  @Override
  public int depth(int policy) {
    return policies.poolDepth(policy);
  }
}
