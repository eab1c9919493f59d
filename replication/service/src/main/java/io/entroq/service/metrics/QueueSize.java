package io.entroq.service.metrics;

import io.entroq.codec.result.QueueStatsDecoder;
import io.entroq.codec.result.ResultDecoder;
import io.prometheus.metrics.model.snapshots.Labels;
import java.nio.charset.StandardCharsets;

/**
 * The statistics of a queue, or the sum of several.
 *
 * @param oldestMs how long the oldest available task has been available, in milliseconds
 */
record QueueSize(
    String name,
    long total,
    long claimed,
    long available,
    long future,
    long maxClaims,
    long oldestMs) {
  private static final int LEVELS = 3;

  /** A queue without tasks. */
  static QueueSize none(String name) {
    return new QueueSize(name, 0, 0, 0, 0, 0, 0);
  }

  /** Reads the entry of a listing. */
  static QueueSize of(ResultDecoder result, QueueStatsDecoder queue) {
    byte[] name = new byte[queue.nameLength()];
    result.buffer().getBytes(queue.nameOffset(), name);
    return new QueueSize(
        new String(name, StandardCharsets.UTF_8),
        queue.tasks(),
        queue.claimed(),
        queue.available(),
        queue.future(),
        queue.maxClaims(),
        queue.oldestAgeMs());
  }

  /** The sum of both, under this name. */
  QueueSize with(QueueSize other) {
    return new QueueSize(
        name,
        total + other.total,
        claimed + other.claimed,
        available + other.available,
        future + other.future,
        Math.max(maxClaims, other.maxClaims),
        Math.max(oldestMs, other.oldestMs));
  }

  /** The name, and its first three prefixes as if it were a path. */
  Labels labels() {
    String[] parts = (name.startsWith("/") ? name.substring(1) : name).split("/", LEVELS + 1);
    StringBuilder path = new StringBuilder();
    String[] levels = new String[LEVELS];
    for (int i = 0; i < LEVELS; i++) {
      levels[i] = i < parts.length ? path.append('/').append(parts[i]).toString() : "";
    }
    return Labels.of("queue", name, "l1", levels[0], "l2", levels[1], "l3", levels[2]);
  }
}
