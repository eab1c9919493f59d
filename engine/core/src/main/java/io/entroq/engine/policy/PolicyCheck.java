package io.entroq.engine.policy;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.PauseDecoder;
import io.entroq.codec.command.PolicyRefDecoder;
import io.entroq.codec.message.Fairs;
import io.entroq.codec.message.FieldLimits;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.memory.KeySet;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Checks the policies of a Modify: versions, numbers, and where dead tasks go. Changes nothing. */
public final class PolicyCheck {

  /** Dead tasks that would move on so often move in a circle. */
  private static final int DEAD_QUEUES_MAX = 64;

  private static final byte[] DEAD_SUFFIX = {'/', 'e', 'r', 'r'};
  private static final long FNV_PRIME = 0x100000001B3L;

  /** Takes what is wrong with a Modify. */
  public interface Verdicts {
    /** Adds a policy with another version than expected; 0: it does not exist. */
    void failPolicy(int itemKind, int index, int existingVersion);

    /** Refuses the Modify for one of its items. */
    void refuse(int code, int itemKind, int index);
  }

  private final PolicyStore policies;
  private final ModifyDecoder modify;
  private final PoolDepthCheck poolDepths;
  private final KeySet put = new KeySet();
  private final KeySet deleted = new KeySet();
  private final KeySet paused = new KeySet();
  private final Bytes queue = new Bytes();
  private final Bytes prefix = new Bytes();
  private final UnsafeBuffer[] texts = {
    new UnsafeBuffer(new byte[FieldLimits.TEXT_BYTES_MAX]),
    new UnsafeBuffer(new byte[FieldLimits.TEXT_BYTES_MAX])
  };
  private final long[] created = new long[2];
  private final long[] removed = new long[2];

  public PolicyCheck(PolicyStore policies, ModifyDecoder modify) {
    this.policies = policies;
    this.modify = modify;
    this.poolDepths = new PoolDepthCheck(policies, modify);
  }

  /** Whether a Modify has policies to write. */
  public static boolean isIn(ModifyDecoder modify) {
    return modify.policyPutCount() + modify.policyDeleteCount() + modify.pauseCount() > 0;
  }

  /** Checks the decoded Modify. */
  public void check(Verdicts verdicts) {
    put.clear();
    deleted.clear();
    paused.clear();
    for (int i = 0; i < modify.policyPutCount(); i++) {
      checkPut(i, modify.policyPut(i), verdicts);
    }
    for (int i = 0; i < modify.policyDeleteCount(); i++) {
      checkDelete(i, modify.policyDelete(i), verdicts);
    }
    for (int i = 0; i < modify.pauseCount(); i++) {
      PauseDecoder pause = modify.pause(i);
      if (!add(paused, pause.kind(), pause.nameOffset(), pause.nameLength())
          || has(deleted, pause.kind(), pause.nameOffset(), pause.nameLength())) {
        verdicts.refuse(ResultCodes.DUPLICATE_ITEM, ItemKinds.PAUSE, i);
      }
    }
    if (modify.policiesMax() != 0) {
      checkNumbers(verdicts);
    }
    for (int i = 0; i < modify.policyPutCount(); i++) {
      if (isCircle(modify.policyPut(i))) {
        verdicts.refuse(ResultCodes.POLICY_CIRCLE, ItemKinds.POLICY_PUT, i);
      }
    }
    poolDepths.check(verdicts);
  }

  private void checkPut(int index, PolicyDecoder policy, Verdicts verdicts) {
    if (!add(put, policy.kind(), policy.nameOffset(), policy.nameLength())) {
      verdicts.refuse(ResultCodes.DUPLICATE_ITEM, ItemKinds.POLICY_PUT, index);
    }
    int version = version(policy.kind(), policy.nameOffset(), policy.nameLength());
    int expected = policy.expectedVersion();
    if (expected != 0 && version != Math.max(0, expected)) {
      verdicts.failPolicy(ItemKinds.POLICY_PUT, index, version);
    }
  }

  private void checkDelete(int index, PolicyRefDecoder policy, Verdicts verdicts) {
    if (!add(deleted, policy.kind(), policy.nameOffset(), policy.nameLength())
        || has(put, policy.kind(), policy.nameOffset(), policy.nameLength())) {
      verdicts.refuse(ResultCodes.DUPLICATE_ITEM, ItemKinds.POLICY_DELETE, index);
    }
    int version = version(policy.kind(), policy.nameOffset(), policy.nameLength());
    int expected = policy.expectedVersion();
    if (version == 0 || (expected != 0 && version != expected)) {
      verdicts.failPolicy(ItemKinds.POLICY_DELETE, index, version);
    }
  }

  /** The version of an entry; 0 if it does not exist. */
  private int version(int kind, int offset, int length) {
    int policy = policies.find(kind, modify.buffer(), offset, length);
    return policy == Slab.NONE ? 0 : policies.version(policy);
  }

  private boolean add(KeySet names, int kind, int offset, int length) {
    return names.add(
        PolicyStore.hash(kind, modify.buffer(), offset, length), secondHash(offset, length));
  }

  private boolean has(KeySet names, int kind, int offset, int length) {
    return names.contains(
        PolicyStore.hash(kind, modify.buffer(), offset, length), secondHash(offset, length));
  }

  private long secondHash(int offset, int length) {
    long hash = length;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ modify.buffer().getByte(offset + i)) * FNV_PRIME;
    }
    return hash;
  }

  private void checkNumbers(Verdicts verdicts) {
    created[0] = 0;
    created[1] = 0;
    removed[0] = 0;
    removed[1] = 0;
    for (int i = 0; i < modify.policyDeleteCount(); i++) {
      removed[sort(modify.policyDelete(i).kind())]++;
    }
    for (int i = 0; i < modify.policyPutCount(); i++) {
      PolicyDecoder policy = modify.policyPut(i);
      if (version(policy.kind(), policy.nameOffset(), policy.nameLength()) == 0) {
        create(policy.kind(), ItemKinds.POLICY_PUT, i, verdicts);
      }
    }
    for (int i = 0; i < modify.pauseCount(); i++) {
      PauseDecoder pause = modify.pause(i);
      if (pause.pauseMs() != 0
          && version(pause.kind(), pause.nameOffset(), pause.nameLength()) == 0
          && !has(put, pause.kind(), pause.nameOffset(), pause.nameLength())) {
        create(pause.kind(), ItemKinds.PAUSE, i, verdicts);
      }
    }
  }

  private void create(int kind, int itemKind, int index, Verdicts verdicts) {
    int sort = sort(kind);
    created[sort]++;
    long more = created[sort] - removed[sort];
    if (more > 0
        && policies.count(kind == PolicyKinds.LIMITER) + more
            > Integer.toUnsignedLong(modify.policiesMax())) {
      verdicts.refuse(ResultCodes.TOO_MANY_POLICIES, itemKind, index);
    }
  }

  /** Limiters are counted apart. */
  private static int sort(int kind) {
    return kind == PolicyKinds.LIMITER ? 1 : 0;
  }

  /** Whether a put has rules of pools, of their members or of topics. */
  public static boolean hasPoolRules(ModifyDecoder modify) {
    for (int i = 0; i < modify.policyPutCount(); i++) {
      PolicyDecoder policy = modify.policyPut(i);
      if (policy.fair() != Fairs.NONE
          || policy.weight() != 0
          || policy.rank() != 0
          || policy.groupCount() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether dead tasks would move from dead queue to dead queue without end. */
  private boolean isCircle(PolicyDecoder policy) {
    if (policy.deadQueueLength() == 0) {
      if (policy.kind() != PolicyKinds.QUEUE || !kills(policy)) {
        return false;
      }
      queue.set(modify.buffer(), policy.nameOffset(), policy.nameLength());
      if (!appendSuffix(0)) {
        return false;
      }
    } else {
      queue.set(modify.buffer(), policy.deadQueueOffset(), policy.deadQueueLength());
    }
    for (int i = 0; i < DEAD_QUEUES_MAX; i++) {
      if (!moveOn(i + 1)) {
        return false;
      }
    }
    return true;
  }

  private static boolean kills(PolicyDecoder policy) {
    return policy.attemptsMax() > 0 || policy.lapsesMax() > 0;
  }

  /** Goes on from a queue to where its dead tasks go; false if they stay or nothing dies. */
  private boolean moveOn(int step) {
    int exact = indexOfPut(modify, PolicyKinds.QUEUE, queue);
    if (exact != Slab.NONE) {
      return follow(modify.policyPut(exact), modify.buffer(), step);
    }
    int stored = stored(PolicyKinds.QUEUE, queue.length());
    if (stored != Slab.NONE) {
      PolicyDecoder rules = policies.rules(stored);
      return follow(rules, rules.buffer(), step);
    }
    return !endsWithSuffix() && moveOnByPrefix(step);
  }

  private boolean moveOnByPrefix(int step) {
    for (int length = queue.length(); length > 0; length--) {
      prefix.set(queue.buffer(), queue.offset(), length);
      int index = indexOfPut(modify, PolicyKinds.PREFIX, prefix);
      if (index != Slab.NONE) {
        PolicyDecoder policy = modify.policyPut(index);
        if (!isTarget(policy, modify.buffer())) {
          return follow(policy, modify.buffer(), step);
        }
        continue;
      }
      int stored = stored(PolicyKinds.PREFIX, length);
      if (stored != Slab.NONE) {
        PolicyDecoder rules = policies.rules(stored);
        if (!isTarget(rules, rules.buffer())) {
          return follow(rules, rules.buffer(), step);
        }
      }
    }
    return false;
  }

  private boolean isTarget(PolicyDecoder policy, DirectBuffer buffer) {
    return queue.matches(buffer, policy.deadQueueOffset(), policy.deadQueueLength())
        || queue.matches(buffer, policy.expiredQueueOffset(), policy.expiredQueueLength());
  }

  private boolean follow(PolicyDecoder policy, DirectBuffer buffer, int step) {
    if (policy.deadQueueLength() > 0) {
      UnsafeBuffer text = texts[step & 1];
      text.putBytes(0, buffer, policy.deadQueueOffset(), policy.deadQueueLength());
      queue.set(text, 0, policy.deadQueueLength());
      return true;
    }
    return kills(policy) && appendSuffix(step);
  }

  /** Goes on to the default dead queue; false if its name would be too long. */
  private boolean appendSuffix(int step) {
    int length = queue.length();
    if (length + DEAD_SUFFIX.length > FieldLimits.TEXT_BYTES_MAX) {
      return false;
    }
    UnsafeBuffer text = texts[step & 1];
    text.putBytes(0, queue.buffer(), queue.offset(), length);
    text.putBytes(length, DEAD_SUFFIX);
    queue.set(text, 0, length + DEAD_SUFFIX.length);
    return true;
  }

  private boolean endsWithSuffix() {
    int from = queue.offset() + queue.length() - DEAD_SUFFIX.length;
    if (queue.length() < DEAD_SUFFIX.length) {
      return false;
    }
    for (int i = 0; i < DEAD_SUFFIX.length; i++) {
      if (queue.buffer().getByte(from + i) != DEAD_SUFFIX[i]) {
        return false;
      }
    }
    return true;
  }

  /** The put of a Modify for a kind and name, or {@link Slab#NONE}. */
  static int indexOfPut(ModifyDecoder modify, int kind, Bytes name) {
    for (int i = 0; i < modify.policyPutCount(); i++) {
      PolicyDecoder policy = modify.policyPut(i);
      if (policy.kind() == kind
          && name.matches(modify.buffer(), policy.nameOffset(), policy.nameLength())) {
        return i;
      }
    }
    return Slab.NONE;
  }

  /** The stored rules for the first bytes of the queue's name that stay, or {@link Slab#NONE}. */
  private int stored(int kind, int length) {
    int policy = policies.find(kind, queue.buffer(), queue.offset(), length);
    return policy != Slab.NONE && policies.hasRules(policy) && !isDeleted(modify, policies, policy)
        ? policy
        : Slab.NONE;
  }

  /** Whether a Modify deletes a policy that is stored. */
  static boolean isDeleted(ModifyDecoder modify, PolicyStore policies, int policy) {
    for (int i = 0; i < modify.policyDeleteCount(); i++) {
      PolicyRefDecoder ref = modify.policyDelete(i);
      if (policies.find(ref.kind(), modify.buffer(), ref.nameOffset(), ref.nameLength())
          == policy) {
        return true;
      }
    }
    return false;
  }
}
