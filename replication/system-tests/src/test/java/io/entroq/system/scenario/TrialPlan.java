package io.entroq.system.scenario;

import io.entroq.api.Durability;
import io.entroq.system.member.ClusterConfig;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * A trial of some minutes.
 *
 * @param name for reports, and to select it
 * @param first injected once at the start
 * @param fault injected again and again
 * @param set changes the configuration of the cluster
 * @param hasClockChanges whether leases may end early, since the next leader's clock may be ahead
 */
record TrialPlan(
    String name,
    Fault first,
    Fault fault,
    UnaryOperator<ClusterConfig> set,
    boolean hasClockChanges) {
  private static final Duration SPREAD = Duration.ofSeconds(20);

  static TrialPlan of(String name, Fault fault) {
    return new TrialPlan(name, context -> {}, fault, UnaryOperator.identity(), false);
  }

  /** Injects another fault once at the start. */
  TrialPlan after(Fault once) {
    return new TrialPlan(name, once, fault, set, hasClockChanges);
  }

  /** Members force to disk. */
  TrialPlan onDisk() {
    return new TrialPlan(
        name + ", disk",
        first,
        fault,
        config -> set.apply(config).withDurability(Durability.DISK),
        hasClockChanges);
  }

  /** Members keep all log. */
  TrialPlan untrimmed() {
    return new TrialPlan(
        name, first, fault, config -> set.apply(config).untrimmed(), hasClockChanges);
  }

  /** A fault changes the clock of a later leader. */
  TrialPlan withClockChanges() {
    return new TrialPlan(name, first, fault, set, true);
  }

  /** Clocks differ from the start. */
  TrialPlan withClocksApart() {
    return new TrialPlan(
        name + ", clocks apart",
        first,
        fault,
        config -> set.apply(config).withClockSpread(SPREAD),
        true);
  }
}
