package io.entroq.engine.policy;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.PolicyRefDecoder;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.DirectBuffer;

/**
 * Checks that with the policies of a Modify no more pools are above each other than may be. Blames
 * what it writes of a pool that is too deep, or of a pool above. Changes nothing.
 */
final class PoolDepthCheck implements PoolNames.Policies {

  private static final byte SLASH = '/';

  /** Stands for the first put of the Modify, beside the slots of stored policies. */
  private static final int FIRST_PUT = Integer.MIN_VALUE;

  private final PolicyStore policies;
  private final ModifyDecoder modify;
  private final PoolNames names = new PoolNames(this);
  private final Bytes name = new Bytes();
  private final Bytes sought = new Bytes();

  PoolDepthCheck(PolicyStore policies, ModifyDecoder modify) {
    this.policies = policies;
    this.modify = modify;
  }

  void check(PolicyCheck.Verdicts verdicts) {
    if (policies.poolCount() == 0 && !putsPools()) {
      return;
    }
    for (int i = 0; i < modify.policyPutCount(); i++) {
      PolicyDecoder put = modify.policyPut(i);
      if (isTooDeep(put.kind(), put.nameOffset(), put.nameLength(), hasShape(put))) {
        verdicts.refuse(ResultCodes.POOL_TOO_DEEP, ItemKinds.POLICY_PUT, i);
      }
    }
    for (int i = 0; i < modify.policyDeleteCount(); i++) {
      PolicyRefDecoder ref = modify.policyDelete(i);
      if (isTooDeep(ref.kind(), ref.nameOffset(), ref.nameLength(), false)) {
        verdicts.refuse(ResultCodes.POOL_TOO_DEEP, ItemKinds.POLICY_DELETE, i);
      }
    }
  }

  private boolean putsPools() {
    for (int i = 0; i < modify.policyPutCount(); i++) {
      if (PolicyStore.depth(modify.policyPut(i)) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether a pool of this name, or one below it, is too deep. */
  private boolean isTooDeep(int kind, int offset, int length, boolean hasShape) {
    if (kind != PolicyKinds.QUEUE) {
      return false;
    }
    int stored = policies.find(kind, modify.buffer(), offset, length);
    boolean hadShape = stored != Slab.NONE && policies.hasShape(stored);
    if (!hasShape && !hadShape) {
      return false;
    }
    for (int i = 0; i < modify.policyPutCount(); i++) {
      PolicyDecoder put = modify.policyPut(i);
      name.set(modify.buffer(), put.nameOffset(), put.nameLength());
      if (put.kind() == PolicyKinds.QUEUE && isAtOrBelow(offset, length) && isTooDeep()) {
        return true;
      }
    }
    for (int i = 0; i < policies.poolCount(); i++) {
      policies.name(policies.pool(i), name);
      if (isAtOrBelow(offset, length) && isTooDeep()) {
        return true;
      }
    }
    return false;
  }

  private boolean isAtOrBelow(int offset, int length) {
    return name.startsWith(modify.buffer(), offset, length)
        && (name.length() == length || name.buffer().getByte(name.offset() + length) == SLASH);
  }

  private boolean isTooDeep() {
    int own = find(name.buffer(), name.offset(), name.length());
    int depth = own == Slab.NONE ? 0 : depth(own);
    return depth > 0
        && depth + names.above(name.buffer(), name.offset(), name.length()) > PoolNames.LEVELS_MAX;
  }

  @Override
  public int find(DirectBuffer buffer, int offset, int length) {
    int put = PolicyCheck.indexOfPut(modify, PolicyKinds.QUEUE, sought.set(buffer, offset, length));
    if (put != Slab.NONE) {
      return hasShape(modify.policyPut(put)) ? FIRST_PUT + put : Slab.NONE;
    }
    int stored = policies.find(PolicyKinds.QUEUE, buffer, offset, length);
    return stored != Slab.NONE
            && policies.hasShape(stored)
            && !PolicyCheck.isDeleted(modify, policies, stored)
        ? stored
        : Slab.NONE;
  }

  private static boolean hasShape(PolicyDecoder put) {
    return PolicyStore.depth(put) > 0 || put.groupCount() > 0;
  }

  @Override
  public int depth(int policy) {
    return policy < Slab.NONE
        ? PolicyStore.depth(modify.policyPut(policy - FIRST_PUT))
        : policies.poolDepth(policy);
  }
}
