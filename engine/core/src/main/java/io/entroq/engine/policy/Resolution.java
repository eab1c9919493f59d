package io.entroq.engine.policy;

import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.Bytes;
import org.agrona.DirectBuffer;

/**
 * What applies to one queue: the rules of its exact name, else those of the longest prefix, else
 * none; and the latest pause of its exact name and all prefixes. Prefixes do not apply to queues
 * for dead tasks: those whose names end with {@code /err}, and those that the policy of the prefix
 * itself names. Computed anew by {@link #resolve}; changes nothing.
 */
public final class Resolution {

  /** The most limiters of a policy. */
  static final int LIMITERS_MAX = PolicyDecoder.LIMITERS_MAX;

  private static final byte[] DEAD_SUFFIX = {'/', 'e', 'r', 'r'};

  /** Those of a queue that shares none. */
  static final int[] NO_LIMITERS = {Slab.NONE, Slab.NONE, Slab.NONE, Slab.NONE};

  private final PolicyStore policies;
  private final Bytes name = new Bytes();
  private final int[] limiters = new int[LIMITERS_MAX];
  private int policy;
  private long pausedUntilMs;
  private DirectBuffer buffer;
  private int offset;
  private int length;

  public Resolution(PolicyStore policies) {
    this.policies = policies;
  }

  /** Looks up what applies to a queue. */
  Resolution resolve(QueueStore queues, int queue) {
    queues.name(queue, name);
    return resolve(name);
  }

  /** Looks up what applies to the queue of a name. */
  public Resolution resolve(Bytes queue) {
    buffer = queue.buffer();
    offset = queue.offset();
    length = queue.length();
    policy = Slab.NONE;
    pausedUntilMs = 0;
    apply(policies.find(PolicyKinds.QUEUE, buffer, offset, length));
    if (policies.prefixLengths().size() > 0 && !isForDead()) {
      applyPrefixes();
    }
    findLimiters();
    return this;
  }

  private void applyPrefixes() {
    PrefixLengths lengths = policies.prefixLengths();
    for (int i = 0; i < lengths.size(); i++) {
      int prefix = lengths.get(i);
      if (prefix <= length) {
        int found = policies.find(PolicyKinds.PREFIX, buffer, offset, prefix);
        if (found != Slab.NONE && !isOwnTarget(found)) {
          apply(found);
        }
      }
    }
  }

  private void apply(int found) {
    if (found != Slab.NONE) {
      pausedUntilMs = Math.max(pausedUntilMs, policies.pausedUntilMs(found));
      if (policy == Slab.NONE && policies.hasRules(found)) {
        policy = found;
      }
    }
  }

  private boolean isForDead() {
    int from = length - DEAD_SUFFIX.length;
    if (from < 0) {
      return false;
    }
    for (int i = 0; i < DEAD_SUFFIX.length; i++) {
      if (buffer.getByte(offset + from + i) != DEAD_SUFFIX[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether the queue is one that a prefix policy sends tasks to. */
  private boolean isOwnTarget(int prefix) {
    if (!policies.hasRules(prefix)) {
      return false;
    }
    PolicyDecoder rules = policies.rules(prefix);
    return isNamed(rules, rules.deadQueueOffset(), rules.deadQueueLength())
        || isNamed(rules, rules.expiredQueueOffset(), rules.expiredQueueLength());
  }

  private boolean isNamed(PolicyDecoder rules, int nameOffset, int nameLength) {
    if (nameLength != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (rules.buffer().getByte(nameOffset + i) != buffer.getByte(offset + i)) {
        return false;
      }
    }
    return true;
  }

  private void findLimiters() {
    int count = 0;
    if (policy != Slab.NONE) {
      PolicyDecoder rules = policies.rules(policy);
      for (; count < rules.limiterCount(); count++) {
        limiters[count] =
            policies.find(
                PolicyKinds.LIMITER,
                rules.buffer(),
                rules.limiterOffset(count),
                rules.limiterLength(count));
      }
    }
    for (; count < LIMITERS_MAX; count++) {
      limiters[count] = Slab.NONE;
    }
  }

  /** Whether nothing applies. */
  public boolean isPlain() {
    return policy == Slab.NONE && pausedUntilMs == 0;
  }

  /** The entry with the rules, or {@link Slab#NONE}. */
  public int policy() {
    return policy;
  }

  /** Until when the queue is paused; 0: not. May lie in the past. */
  public long pausedUntilMs() {
    return pausedUntilMs;
  }

  /** The limiter at a position from 0 to 3, or {@link Slab#NONE}: none, or one without an entry. */
  public int limiter(int position) {
    return limiters[position];
  }

  /** All of them; valid until the next call. */
  int[] limiters() {
    return limiters;
  }
}
