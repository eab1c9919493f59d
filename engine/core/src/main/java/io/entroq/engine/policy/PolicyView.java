package io.entroq.engine.policy;

import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** A policy as replies show it; reused for each. */
public final class PolicyView {

  private final PolicyStore policies;
  private final Bytes encoded = new Bytes();
  private final PolicyEncoder encoder = new PolicyEncoder();
  private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer();
  private int policy = Slab.NONE;
  private long nameHash;

  public PolicyView(PolicyStore policies) {
    this.policies = policies;
  }

  /** Shows the entry of a slot. */
  public PolicyView of(int slot) {
    policy = slot;
    policies.encoded(slot, encoded);
    nameHash = policies.nameHash(slot);
    return this;
  }

  /** Shows the entry of a name, or that there is none. */
  public PolicyView of(int kind, DirectBuffer buffer, int offset, int length) {
    int found = policies.find(kind, buffer, offset, length);
    if (found != Slab.NONE) {
      return of(found);
    }
    policy = Slab.NONE;
    encoder.wrap(scratch, 0).kind(kind).name(buffer, offset, length);
    encoded.set(scratch, 0, encoder.length());
    nameHash = PolicyStore.hash(kind, buffer, offset, length);
    return this;
  }

  /** An encoded Policy with kind, name and rules. */
  public Bytes encoded() {
    return encoded;
  }

  /** A hash of kind and name. */
  public long nameHash() {
    return nameHash;
  }

  /** Whether it has rules, and is not only paused. */
  public boolean hasRules() {
    return policy != Slab.NONE && policies.hasRules(policy);
  }

  /** From 1; 0: it does not exist any more. */
  public int version() {
    return policy == Slab.NONE ? 0 : policies.version(policy);
  }

  /** Until when it is paused, in milliseconds since the epoch; 0: it is not. */
  public long pausedUntilMs(long nowMs) {
    long untilMs = policy == Slab.NONE ? 0 : policies.pausedUntilMs(policy);
    return untilMs > nowMs ? untilMs : 0;
  }

  /** Of a limiter: tasks in flight in its queues. */
  public int inFlight() {
    return policy == Slab.NONE ? 0 : policies.inFlight(policy);
  }

  /** Of a limiter: when its rate permits the next start; 0: now. */
  public long nextStartMs(long nowMs) {
    if (policy == Slab.NONE || policies.kind(policy) != PolicyKinds.LIMITER) {
      return 0;
    }
    long opensMs = policies.gateMs(policy);
    return opensMs > nowMs ? opensMs : 0;
  }
}
