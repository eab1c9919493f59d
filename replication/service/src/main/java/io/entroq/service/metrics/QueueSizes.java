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

/** The figures of queues, refreshed when they are scraped and older than a while. Any thread. */
final class QueueSizes implements MultiCollector {
  private static final Logger LOG = LoggerFactory.getLogger(QueueSizes.class);
  private static final double MS_PER_SECOND = 1_000;
  private static final double NS_PER_SECOND = 1e9;

  private static final String SIZE = "entroq_queue_size";
  private static final String OLDEST = "entroq_queue_oldest_available_seconds";

  /** The series that have names of queues as labels. */
  static final Set<String> NAMING_QUEUES = Set.of(SIZE, OLDEST);

  private final Gateway gateway;
  private final MetricsConfig config;
  private volatile LargestQueues queues = new LargestQueues(0);
  private CompletableFuture<?> looking = CompletableFuture.completedFuture(null);
  private volatile long foundNs = System.nanoTime();
  private long lookedNs;
  private boolean hasLooked;

  QueueSizes(Gateway gateway, MetricsConfig config) {
    this.gateway = gateway;
    this.config = config;
  }

  /** Refreshes the figures if they are old; completes when that is done, or failed. */
  synchronized CompletionStage<?> look() {
    long nowNs = System.nanoTime();
    boolean isOld = !hasLooked || nowNs - lookedNs >= config.queuesMaxAge().toNanos();
    if (isOld && looking.isDone()) {
      hasLooked = true;
      lookedNs = nowNs;
      looking =
          QueueListing.of(gateway, config.queuesMax())
              .thenAccept(found -> take(found, nowNs))
              .exceptionally(QueueSizes::miss);
    }
    return looking;
  }

  private void take(LargestQueues found, long nowNs) {
    queues = found;
    foundNs = nowNs;
  }

  /** Keeps the old figures, and their age. */
  private static Void miss(Throwable failure) {
    LOG.debug("How queues stand could not be found out.", failure);
    return null;
  }

  @Override
  public MetricSnapshots collect() {
    LargestQueues found = queues;
    GaugeSnapshot.Builder sizes =
        GaugeSnapshot.builder()
            .name(SIZE)
            .help("Tasks in a queue, by how they stand; maxClaims: most claims of any of them.");
    GaugeSnapshot.Builder ages =
        GaugeSnapshot.builder()
            .name(OLDEST)
            .help("For how long the oldest available task of a queue has been available.");
    for (QueueSize queue : found.shown()) {
      Labels labels = queue.labels();
      sizes.dataPoint(point(labels.add("type", "total"), (double) queue.total()));
      sizes.dataPoint(point(labels.add("type", "claimed"), (double) queue.claimed()));
      sizes.dataPoint(point(labels.add("type", "available"), (double) queue.available()));
      sizes.dataPoint(point(labels.add("type", "future"), (double) queue.future()));
      sizes.dataPoint(point(labels.add("type", "maxClaims"), (double) queue.maxClaims()));
      ages.dataPoint(point(labels, queue.oldestMs() / MS_PER_SECOND));
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
            .help("How old it is what is told of queues.")
            .dataPoint(point(Labels.EMPTY, ageNs / NS_PER_SECOND));
    return MetricSnapshots.of(sizes.build(), ages.build(), count.build(), age.build());
  }

  private static GaugeDataPointSnapshot point(Labels labels, double value) {
    return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }
}
