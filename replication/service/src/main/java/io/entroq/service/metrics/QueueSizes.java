package io.entroq.service.metrics;

import io.entroq.engine.gateway.Gateway;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The statistics of queues, refreshed by scrapes once they are too old. Any thread. */
final class QueueSizes implements MultiCollector {
  private static final Logger LOG = LoggerFactory.getLogger(QueueSizes.class);

  private static final String SIZE = "entroq_queue_size";
  private static final String OLDEST = "entroq_queue_oldest_available_seconds";

  /** The series that have names of queues as labels. */
  static final Set<String> NAMING_QUEUES = Set.of(SIZE, OLDEST);

  private final Gateway gateway;
  private final MetricsConfig config;
  private volatile LargestQueues queues = new LargestQueues(0);
  private CompletableFuture<?> refresh = CompletableFuture.completedFuture(null);
  private volatile long foundNs = System.nanoTime();
  private long requestedNs;
  private boolean isRequested;

  QueueSizes(Gateway gateway, MetricsConfig config) {
    this.gateway = gateway;
    this.config = config;
  }

  /** Refreshes the statistics if they are old; completes even if that fails. */
  synchronized CompletionStage<?> refresh() {
    long nowNs = System.nanoTime();
    boolean isOld = !isRequested || nowNs - requestedNs >= config.queuesMaxAge().toNanos();
    if (isOld && refresh.isDone()) {
      isRequested = true;
      requestedNs = nowNs;
      refresh =
          QueueListing.of(gateway, config.queuesMax())
              .thenAccept(
                  found -> {
                    queues = found;
                    foundNs = nowNs;
                  })
              .exceptionally(QueueSizes::onFailure);
    }
    return refresh;
  }

  /** Keeps the old statistics and their age. */
  private static Void onFailure(Throwable failure) {
    LOG.debug("Failed to refresh the statistics of queues.", failure);
    return null;
  }

  @Override
  public MetricSnapshots collect() {
    LargestQueues found = queues;
    GaugeSnapshot.Builder sizes =
        GaugeSnapshot.builder()
            .name(SIZE)
            .help(
                "Tasks in a queue, by state; maxClaims is the highest number of claims of a task.");
    GaugeSnapshot.Builder ages =
        GaugeSnapshot.builder()
            .name(OLDEST)
            .help("How long the oldest available task of a queue has been available.");
    for (QueueSize queue : found.toList()) {
      Labels labels = queue.labels();
      sizes.dataPoint(point(labels.add("type", "total"), (double) queue.total()));
      sizes.dataPoint(point(labels.add("type", "claimed"), (double) queue.claimed()));
      sizes.dataPoint(point(labels.add("type", "available"), (double) queue.available()));
      sizes.dataPoint(point(labels.add("type", "future"), (double) queue.future()));
      sizes.dataPoint(point(labels.add("type", "maxClaims"), (double) queue.maxClaims()));
      ages.dataPoint(point(labels, queue.oldestMs() / Meters.MS_PER_SECOND));
    }
    GaugeSnapshot.Builder count =
        GaugeSnapshot.builder()
            .name("entroq_queues")
            .help("Queues that have tasks.")
            .dataPoint(point(Labels.EMPTY, found.count()));
    double ageNs = System.nanoTime() - foundNs;
    GaugeSnapshot.Builder age =
        GaugeSnapshot.builder()
            .name("entroq_queues_age_seconds")
            .help("Age of the figures of queues.")
            .dataPoint(point(Labels.EMPTY, ageNs / Meters.NS_PER_SECOND));
    return MetricSnapshots.of(sizes.build(), ages.build(), count.build(), age.build());
  }

  private static GaugeDataPointSnapshot point(Labels labels, double value) {
    return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }
}
