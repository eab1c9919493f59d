package io.entroq.simulator.client.worker;

import io.entroq.simulator.virtual.EventQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * The lifetime of a process. Its events happen only while it lives, and are delayed while it is
 * paused.
 */
final class ProcessLifetime {
  private final EventQueue events;
  private long stalledUntilNs = -1;
  private boolean isOver;

  ProcessLifetime(EventQueue events) {
    this.events = events;
  }

  long nowNs() {
    return events.nowNs();
  }

  boolean isOver() {
    return isOver;
  }

  /** Ends the process: its events no longer happen. */
  void end() {
    isOver = true;
  }

  /** Pauses the process; its events are delayed. */
  void stall(long forNs) {
    stalledUntilNs = Math.max(stalledUntilNs, events.nowNs() + forNs);
  }

  /** The end of the last or current pause; below 0: none. */
  long stalledUntilNs() {
    return stalledUntilNs;
  }

  /** Runs an event now or after the pause. */
  void happen(EventQueue.Event event) {
    if (isOver) {
      return;
    }
    if (events.nowNs() < stalledUntilNs) {
      events.at(stalledUntilNs, () -> happen(event));
    } else {
      event.happen();
    }
  }

  /** Schedules an event so many nanoseconds from now, 0 or more. */
  void in(long delayNs, EventQueue.Event event) {
    events.in(delayNs, () -> happen(event));
  }

  /** Runs an event with the value or the failure of a future. */
  <T> void then(CompletableFuture<T> future, BiConsumer<T, Throwable> event) {
    CompletableFuture<T> unused =
        future.whenComplete((value, failure) -> in(0, () -> event.accept(value, failure)));
  }
}
