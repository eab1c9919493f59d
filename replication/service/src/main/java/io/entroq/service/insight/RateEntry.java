package io.entroq.service.insight;

import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** What is known of the events of a queue, or of all queues. Belongs to a {@link RateBook}. */
final class RateEntry {
  private static final double HALF_LIFE_S = 60;

  /** The bytes of the name. */
  final UnsafeBuffer name;

  /** Of the second in progress. */
  final int[] now = new int[Event.COUNT];

  private final long[] totals = new long[Event.COUNT];
  private String text;
  private double activity;
  private long activeS;

  /** Whether something happened in the second in progress. */
  boolean isTouched;

  /** Whether the book does not know it any more; then it is not to be used. */
  boolean isForgotten;

  /** How much happened when it was compared with others last. */
  double rank;

  /** Null if the queue is not among the busiest. */
  RateSeries series;

  /** The newest failures; null before the first, or if the queue is not among the busiest. */
  FailureRing failures;

  /** Whether tasks come here that have failed for good. */
  boolean isDead;

  /** How a dead queue has grown; null if it is none, or there are too many. */
  DeadTrend trend;

  RateEntry(byte[] name) {
    this.name = new UnsafeBuffer(name);
  }

  String text() {
    if (text == null) {
      text = new String(name.byteArray(), StandardCharsets.UTF_8);
    }
    return text;
  }

  long total(Event event) {
    return totals[event.ordinal()];
  }

  /** All totals, by event. */
  long[] totals() {
    return totals.clone();
  }

  /** Takes what happened in a second into account. */
  void end(long second) {
    isTouched = false;
    if (series != null) {
      series.add(second, now);
    }
    long events = 0;
    for (int i = 0; i < Event.COUNT; i++) {
      totals[i] += now[i];
      events += now[i];
      now[i] = 0;
    }
    activity = activity(second) + events;
    activeS = second;
  }

  /** How much happens: events, each of which counts for half after a minute. */
  double activity(long second) {
    return activity == 0 ? 0 : activity * Math.pow(2, -Math.max(0, second - activeS) / HALF_LIFE_S);
  }
}
