package io.entroq.simulator.fault;

import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/**
 * Faults that recur at random times. Each kind has random numbers of its own, so leaving one out
 * does not change the others. One thread.
 */
public final class RecurringFault {
  private final EventQueue events;
  private final Faults faults;
  private final ToLongFunction<FaultKind> meanNs;
  private final BiConsumer<FaultKind, SeededRandom> maker;
  private final Map<FaultKind, SeededRandom> chances = new EnumMap<>(FaultKind.class);
  private boolean isOver;

  /**
   * Trouble that does not begin yet.
   *
   * @param meanNs how long on average from one of a kind to the next; 0: there is none
   * @param maker makes trouble of a kind, if it can come about just now
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

  /** Begins. */
  public void start() {
    for (FaultKind kind : FaultKind.values()) {
      if (faults.isOn(kind) && meanNs.applyAsLong(kind) > 0) {
        plan(kind);
      }
    }
  }

  /** Begins no trouble any more. */
  public void end() {
    isOver = true;
  }

  /** Whether there is no more to come. */
  public boolean isOver() {
    return isOver;
  }

  /** Where the times of a kind are drawn from. */
  public SeededRandom random(FaultKind kind) {
    return chances.get(kind);
  }

  private void plan(FaultKind kind) {
    SeededRandom random = chances.get(kind);
    events.in(
        random.waitNs(meanNs.applyAsLong(kind)),
        () -> {
          if (!isOver) {
            // Drawn whether it can happen or not.
            maker.accept(kind, new SeededRandom(random.next()));
            plan(kind);
          }
        });
  }
}
