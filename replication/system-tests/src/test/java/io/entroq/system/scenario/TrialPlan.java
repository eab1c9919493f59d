package io.entroq.system.scenario;

import io.entroq.api.Durability;
import io.entroq.system.member.ClusterConfig;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * What is tried for some minutes.
 *
 * @param name for reports, and to ask for it alone
 * @param first befalls the cluster once, in the beginning
 * @param fault befalls it again and again
 * @param set how the cluster is set up
 * @param hasOddClocks whether leases may be shorter than they should, as the clock of the next
 *     leader may be ahead of that of the last one
 */
record TrialPlan(
    String name, Fault first, Fault fault, UnaryOperator<ClusterConfig> set, boolean hasOddClocks) {
  private static final Duration SPREAD = Duration.ofSeconds(20);

  /** A fault that comes again and again. */
  static TrialPlan of(String name, Fault fault) {
    return new TrialPlan(name, stage -> {}, fault, UnaryOperator.identity(), false);
  }

  /** The same behind another fault that comes once. */
  TrialPlan after(Fault once) {
    return new TrialPlan(name, once, fault, set, hasOddClocks);
  }

  /** The same with members that force what they have. */
  TrialPlan onDisk() {
    return new TrialPlan(
        name + ", disk",
        first,
        fault,
        config -> set.apply(config).withDurability(Durability.DISK),
        hasOddClocks);
  }

  /** The same with members that keep all log. */
  TrialPlan untrimmed() {
    return new TrialPlan(name, first, fault, config -> set.apply(config).untrimmed(), hasOddClocks);
  }

  /** The same where somebody sets clocks, and another one leads then. */
  TrialPlan withOddClocks() {
    return new TrialPlan(name, first, fault, set, true);
  }

  /** The same where clocks differ from the beginning. */
  TrialPlan withClocksApart() {
    return new TrialPlan(
        name + ", clocks apart",
        first,
        fault,
        config -> set.apply(config).withClockSpread(SPREAD),
        true);
  }
}
