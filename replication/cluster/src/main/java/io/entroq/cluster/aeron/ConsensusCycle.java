package io.entroq.cluster.aeron;

import io.aeron.cluster.ElectionState;
import io.aeron.driver.DutyCycleTracker;
import java.util.function.LongSupplier;

/**
 * What a member does in each duty cycle of the consensus module, after the module has judged
 * whether the others are silent and before it reads what they have sent.
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
    patience.onCycle(monitor.state(), nanoTime.getAsLong(), clock.isLeaderLeaving());
    clock.onCycle(monitor.state() == ElectionState.CLOSED);
  }
}
