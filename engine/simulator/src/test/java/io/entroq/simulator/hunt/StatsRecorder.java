package io.entroq.simulator.hunt;

import io.entroq.codec.wire.log.QueueStats;
import io.entroq.engine.listing.ListedQueues;
import io.entroq.engine.listing.QueueFigures;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.DirectBuffer;

/** Turns statistics into messages. */
final class StatsRecorder implements ListedQueues {
  private final boolean omitsStats;
  private final List<QueueStats> queues;

  StatsRecorder(boolean omitsStats, List<QueueStats> queues) {
    this.omitsStats = omitsStats;
    this.queues = queues;
  }

  @Override
  public boolean onQueue(DirectBuffer name, int offset, int length, QueueFigures figures) {
    byte[] bytes = new byte[length];
    name.getBytes(offset, bytes);
    QueueStats.Builder stats =
        QueueStats.newBuilder()
            .setName(new String(bytes, StandardCharsets.UTF_8))
            .setTasks(figures.tasks());
    queues.add(omitsStats ? stats.build() : withFigures(stats, figures));
    return true;
  }

  private static QueueStats withFigures(QueueStats.Builder stats, QueueFigures figures) {
    return stats
        .setAvailable(figures.available())
        .setClaimed(figures.claimed())
        .setHeld(figures.held())
        .setFuture(figures.future())
        .setMaxClaims(figures.claimsMax())
        .setOldestAgeMs(figures.oldestAgeMs())
        .build();
  }
}
