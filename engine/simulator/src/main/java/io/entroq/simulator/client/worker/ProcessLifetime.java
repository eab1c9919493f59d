package io.entroq.simulator.client.worker;

import io.entroq.simulator.virtual.EventQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * The lifetime of a process. Its events happen only while it lives, and while it is paused they
 * wait until it continues.
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

  /** Nothing happens in it any more. */
  void end() {
    isOver = true;
  }

  /** Nothing happens in it for so long; whatever comes meanwhile happens then, in its order. */
  void stall(long forNs) {
    stalledUntilNs = Math.max(stalledUntilNs, events.nowNs() + forNs);
  }

  /** Until when it stood or stands still; below 0: it never did. */
  long stalledUntilNs() {
    return stalledUntilNs;
  }

  /** Has something happen in it now. */
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

  /** Has something happen in it so many nanoseconds from now, 0 or more. */
  void in(long delayNs, EventQueue.Event event) {
    events.in(delayNs, () -> happen(event));
  }

  /** Has something happen in it once a future is complete, with its value or its failure. */
  <T> void then(CompletableFuture<T> future, BiConsumer<T, Throwable> event) {
    CompletableFuture<T> unused =
        future.whenComplete((value, failure) -> in(0, () -> event.accept(value, failure)));
  }
}
