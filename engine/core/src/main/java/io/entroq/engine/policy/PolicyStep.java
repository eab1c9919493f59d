package io.entroq.engine.policy;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.PauseDecoder;
import io.entroq.codec.command.PolicyRefDecoder;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.engine.effect.Effects;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.ArrivalTime;
import io.entroq.engine.task.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayList;

/**
 * Writes the policies of a Modify after its checks, and ends pauses that have run out; nothing here
 * can fail. After a write, all queues with parked claims must be touched, before {@link #clean}.
 */
public final class PolicyStep {

  private final PolicyStore policies;
  private final RuledQueues ruled;
  private final QueueStore queues;
  private final PoolWalk walk;
  private final Effects effects;
  private final PolicyView view;
  private final Bytes encoded = new Bytes();
  private final Bytes name = new Bytes();

  /** Entries that do not exist any more. */
  private final IntArrayList gone = new IntArrayList();

  /** Queues that a policy of their exact name may have kept. */
  private final IntArrayList kept = new IntArrayList();

  public PolicyStep(
      PolicyStore policies, RuledQueues ruled, QueueStore queues, PoolWalk walk, Effects effects) {
    this.walk = walk;
    this.effects = effects;
    this.policies = policies;
    this.ruled = ruled;
    this.queues = queues;
    this.view = new PolicyView(policies);
  }

  /** Writes the policies of a Modify. */
  public void write(ModifyDecoder modify, long nowMs) {
    DirectBuffer buffer = modify.buffer();
    for (int i = 0; i < modify.policyPutCount(); i++) {
      PolicyDecoder policy = modify.policyPut(i);
      int before = suspend(policy.kind(), buffer, policy.nameOffset(), policy.nameLength());
      boolean hadShape = before != Slab.NONE && policies.hasShape(before);
      int after = policies.put(policy, buffer);
      written(after);
      follow(after, before == Slab.NONE, hadShape || policies.hasShape(after));
    }
    for (int i = 0; i < modify.policyDeleteCount(); i++) {
      PolicyRefDecoder ref = modify.policyDelete(i);
      delete(policies.find(ref.kind(), buffer, ref.nameOffset(), ref.nameLength()));
    }
    for (int i = 0; i < modify.pauseCount(); i++) {
      pause(modify.pause(i), buffer, nowMs);
    }
    beginEpoch();
  }

  private void pause(PauseDecoder pause, DirectBuffer buffer, long nowMs) {
    int offset = pause.nameOffset();
    int length = pause.nameLength();
    int policy = suspend(pause.kind(), buffer, offset, length);
    if (pause.pauseMs() != 0) {
      long untilMs =
          pause.pauseMs() < 0
              ? PolicyStore.UNTIL_RESUMED
              : ArrivalTime.saturatedSum(nowMs, pause.pauseMs());
      int paused = policies.pause(pause.kind(), buffer, offset, length, untilMs);
      written(paused);
      follow(paused, policy == Slab.NONE, false);
    } else if (policy != Slab.NONE && policies.hasRules(policy)) {
      written(policies.pause(pause.kind(), buffer, offset, length, 0));
      follow(policy, false, false);
    } else if (policy != Slab.NONE) {
      delete(policy);
    }
  }

  private int suspend(int kind, DirectBuffer buffer, int offset, int length) {
    int policy = policies.find(kind, buffer, offset, length);
    if (policy != Slab.NONE && kind == PolicyKinds.LIMITER) {
      ruled.limiters().suspend(policy);
    }
    return policy;
  }

  private void delete(int policy) {
    if (policies.kind(policy) == PolicyKinds.LIMITER) {
      ruled.limiters().suspend(policy);
    } else if (policies.kind(policy) == PolicyKinds.QUEUE) {
      int queue = queueOf(policy);
      if (queue != Slab.NONE) {
        kept.addInt(queue);
      }
    }
    boolean hadShape = policies.hasShape(policy);
    policies.delete(policy);
    follow(policy, true, hadShape);
    gone.addInt(policy);
    effect(EffectKinds.POLICY_DELETED, policy);
  }

  /**
   * Has the queues of pools looked up that an entry may concern.
   *
   * @param comesOrGoes whether the entry is new or gone
   * @param hasShape whether it makes, or made, its queue a pool or a topic
   */
  private void follow(int policy, boolean comesOrGoes, boolean hasShape) {
    if (ruled.pools().size() == 0 && policies.poolCount() == 0 && !hasShape) {
      return;
    }
    switch (policies.kind(policy)) {
      case PolicyKinds.QUEUE -> walk.written(queueOf(policy), hasShape);
      case PolicyKinds.PREFIX -> walk.written(Slab.NONE, policies.concernsPools(policy));
      default -> walk.written(Slab.NONE, comesOrGoes);
    }
  }

  /** The queue that has the name of an entry, or {@link Slab#NONE}. */
  private int queueOf(int policy) {
    policies.name(policy, name);
    return queues.find(name.buffer(), name.offset(), name.length());
  }

  /** Has all queues look up again what applies to them. */
  private void beginEpoch() {
    queues.epoch(policies.epoch());
  }

  private void written(int policy) {
    effect(EffectKinds.POLICY_WRITTEN, policy);
  }

  private void effect(int kind, int policy) {
    policies.encoded(policy, encoded);
    effects.policy(kind, encoded, policies.version(policy), policies.pausedUntilMs(policy));
  }

  /**
   * Removes entries without rules whose pause has ended, up to a number.
   *
   * @return whether there were any: then all queues with parked claims must be touched
   */
  public boolean endPauses(int most, long nowMs) {
    boolean any = false;
    for (int i = 0; i < most && policies.firstDeadlineMs() <= nowMs; i++) {
      delete(policies.firstByPauseEnd());
      any = true;
    }
    if (any) {
      beginEpoch();
    }
    return any;
  }

  /** Frees what nothing refers to any more. */
  public void clean() {
    for (int i = 0; i < gone.size(); i++) {
      policies.removeIfUnused(gone.getInt(i));
    }
    gone.clear();
    for (int i = 0; i < kept.size(); i++) {
      // The queue of a pool may be gone with its last member.
      if (queues.isAlive(kept.getInt(i))) {
        queues.removeIfUnused(kept.getInt(i));
      }
    }
    kept.clear();
  }

  /** The policy of a put of the Modify, as it is now. */
  public PolicyView put(ModifyDecoder modify, int index) {
    PolicyDecoder policy = modify.policyPut(index);
    return view.of(policy.kind(), modify.buffer(), policy.nameOffset(), policy.nameLength());
  }

  /** The policy of a pause of the Modify, as it is now; may not exist any more. */
  public PolicyView paused(ModifyDecoder modify, int index) {
    PauseDecoder pause = modify.pause(index);
    return view.of(pause.kind(), modify.buffer(), pause.nameOffset(), pause.nameLength());
  }
}
