package io.entroq.cluster.aeron;

import io.aeron.cluster.ElectionState;
import io.aeron.driver.DutyCycleTracker;
import java.util.function.LongSupplier;

/**
 * What a member does in each duty cycle of the consensus module. In a cycle, the module
 *
 * <ol>
 *   <li>reads its clock,
 *   <li>does this,
 *   <li>judges whether the others are silent, by the time that it has read,
 *   <li>reads what they have sent.
 * </ol>
 *
 * So what is done to the clock here counts from the next cycle on. That order is of Aeron 1.51, in
 * {@code ConsensusModuleAgent.doWork}; whoever takes another version must compare it.
 */
public final class ConsensusCycle extends DutyCycleTracker {
  private final ElectionMonitor monitor;
  private final ElectionPatience patience;
  private final MemberClock clock;
  private final TermGuard guard;
  private final LongSupplier nanoTime;

  /**
   * @param nanoTime the time source, like {@link System#nanoTime}
   */
  public ConsensusCycle(
      ElectionMonitor monitor,
      ElectionPatience patience,
      MemberClock clock,
      TermGuard guard,
      LongSupplier nanoTime) {
    this.monitor = monitor;
    this.patience = patience;
    this.clock = clock;
    this.guard = guard;
    this.nanoTime = nanoTime;
  }

  @Override
  public void reportMeasurement(long durationNs) {
    monitor.reportMeasurement(durationNs);
    guard.onCycle();
    // Before the clock, which forgets that the leader leaves as soon as there is an election.
    patience.onCycle(monitor.state(), nanoTime.getAsLong(), clock.isLeaderLeaving());
    clock.onCycle(monitor.state() == ElectionState.CLOSED);
  }
}
