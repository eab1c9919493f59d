package io.entroq.simulator.fault;

import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/**
 * Faults that recur at random times. Each kind draws from its own random numbers, so leaving one
 * out does not change the others. One thread.
 */
public final class RecurringFault {
  private final EventQueue events;
  private final Faults faults;
  private final ToLongFunction<FaultKind> meanNs;
  private final BiConsumer<FaultKind, SeededRandom> maker;
  private final Map<FaultKind, SeededRandom> chances = new EnumMap<>(FaultKind.class);
  private boolean isOver;

  /**
   * Faults that have not begun.
   *
   * @param meanNs mean time between two faults of a kind; 0: never
   * @param maker injects a fault if that is possible at the moment
   */
  public RecurringFault(
      EventQueue events,
      SeededRandom random,
      Faults faults,
      ToLongFunction<FaultKind> meanNs,
      BiConsumer<FaultKind, SeededRandom> maker) {
    this.events = events;
    this.faults = faults;
    this.meanNs = meanNs;
    this.maker = maker;
    for (FaultKind kind : FaultKind.values()) {
      chances.put(kind, random.fork(kind.label()));
    }
  }

  public void start() {
    for (FaultKind kind : FaultKind.values()) {
      if (faults.isOn(kind) && meanNs.applyAsLong(kind) > 0) {
        plan(kind);
      }
    }
  }

  /** Injects nothing more. */
  public void end() {
    isOver = true;
  }

  public boolean isOver() {
    return isOver;
  }

  /** The random numbers that the times of a kind are drawn from. */
  public SeededRandom random(FaultKind kind) {
    return chances.get(kind);
  }

  private void plan(FaultKind kind) {
    SeededRandom random = chances.get(kind);
    events.in(
        random.waitNs(meanNs.applyAsLong(kind)),
        () -> {
          if (!isOver) {
            // The seed is drawn even if the fault turns out to be impossible.
            maker.accept(kind, new SeededRandom(random.next()));
            plan(kind);
          }
        });
  }
}
