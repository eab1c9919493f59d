package io.entroq.engine.result;

import io.entroq.codec.result.PolicyStateEncoder;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.task.Bytes;

/** Encodes a policy as results show it. */
public final class PolicyContent {

  private PolicyContent() {}

  /** Writes a policy as of a time. */
  public static void write(PolicyView policy, long nowMs, PolicyStateEncoder to) {
    Bytes rules = policy.encoded();
    to.policy(rules.buffer(), rules.offset(), rules.length())
        .hasRules(policy.hasRules())
        .version(policy.version())
        .pausedUntilMs(policy.pausedUntilMs(nowMs))
        .inFlight(policy.inFlight())
        .nextStartMs(policy.nextStartMs(nowMs));
  }
}
