package io.entroq.service.metrics;

import io.entroq.engine.gateway.Gateway;
import io.entroq.service.metrics.NameSize.Work;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The statistics of queues and namespaces, refreshed by scrapes if they are old. Any thread. */
final class NameSizes implements MultiCollector {
  private static final Logger LOG = LoggerFactory.getLogger(NameSizes.class);

  private static final String SIZE = "entroq_queue_size";
  private static final String NAMESPACE_SIZE = "entroq_namespace_size";
  private static final String OLDEST = "entroq_queue_oldest_available_seconds";
  private static final String PAUSED = "entroq_queue_paused";
  private static final String WAIT = "entroq_queue_next_start_seconds";
  private static final String LAPSED = "entroq_queue_lapsed";
  private static final String DEAD = "entroq_queue_dead";

  /** The series that have names of queues or namespaces as labels. */
  static final Set<String> NAMING_QUEUES =
      Set.of(SIZE, OLDEST, NAMESPACE_SIZE, PAUSED, WAIT, LAPSED, DEAD);

  private final Gateway gateway;
  private final MetricsConfig config;
  private volatile Found found = new Found(List.of(), 0, List.of());
  private CompletableFuture<?> refresh = CompletableFuture.completedFuture(null);
  private volatile long foundNs = System.nanoTime();
  private long requestedNs;
  private boolean isRequested;

  NameSizes(Gateway gateway, MetricsConfig config) {
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
          NameListing.queues(gateway, config.queuesMax())
              .thenCombine(NameListing.namespaces(gateway, config.queuesMax()), Found::of)
              .thenAccept(
                  newest -> {
                    found = newest;
                    foundNs = nowNs;
                  })
              .exceptionally(NameSizes::onFailure);
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
    Found now = found;
    GaugeSnapshot.Builder sizes =
        GaugeSnapshot.builder()
            .name(SIZE)
            .help(
                "Tasks in a queue, by state; maxClaims is the highest number of claims of a task, and"
                    + " claimable what a claim would get now.");
    GaugeSnapshot.Builder ages =
        GaugeSnapshot.builder()
            .name(OLDEST)
            .help("How long the oldest available task of a queue has been available.");
    for (NameSize queue : now.queues) {
      Labels labels = queue.labels("queue");
      sizes.dataPoint(point(labels.add("type", "total"), (double) queue.total()));
      sizes.dataPoint(point(labels.add("type", "claimed"), (double) queue.claimed()));
      sizes.dataPoint(point(labels.add("type", "available"), (double) queue.available()));
      sizes.dataPoint(point(labels.add("type", "future"), (double) queue.future()));
      sizes.dataPoint(point(labels.add("type", "maxClaims"), (double) queue.maxClaims()));
      sizes.dataPoint(point(labels.add("type", "inFlight"), (double) queue.work().inFlight()));
      sizes.dataPoint(point(labels.add("type", "claimable"), (double) queue.work().claimable()));
      ages.dataPoint(point(labels, queue.oldestMs() / Meters.MS_PER_SECOND));
    }
    GaugeSnapshot.Builder docs =
        GaugeSnapshot.builder()
            .name(NAMESPACE_SIZE)
            .help("Docs in a namespace, by state; claimed are those whose set is held.");
    for (NameSize namespace : now.namespaces) {
      Labels labels = namespace.labels("namespace");
      docs.dataPoint(point(labels.add("type", "total"), (double) namespace.total()));
      docs.dataPoint(point(labels.add("type", "claimed"), (double) namespace.claimed()));
      docs.dataPoint(point(labels.add("type", "available"), (double) namespace.available()));
    }
    GaugeSnapshot.Builder count =
        GaugeSnapshot.builder()
            .name("entroq_queues")
            .help("Queues that have tasks.")
            .dataPoint(point(Labels.EMPTY, now.queueCount));
    double ageNs = System.nanoTime() - foundNs;
    GaugeSnapshot.Builder age =
        GaugeSnapshot.builder()
            .name("entroq_queues_age_seconds")
            .help("Age of the figures of queues.")
            .dataPoint(point(Labels.EMPTY, ageNs / Meters.NS_PER_SECOND));
    return MetricSnapshots.of(
        sizes.build(),
        ages.build(),
        paused(now.queues),
        waits(now.queues),
        counter(
            LAPSED, "Leases of a queue that ended without an outcome.", now.queues, Work::lapsed),
        counter(
            DEAD,
            "Tasks of a queue that failed or lapsed too often, expired, or made room for others.",
            now.queues,
            Work::dead),
        docs.build(),
        count.build(),
        age.build());
  }

  /** Only queues that are paused have series. */
  private static GaugeSnapshot paused(List<NameSize> queues) {
    GaugeSnapshot.Builder paused =
        GaugeSnapshot.builder()
            .name(PAUSED)
            .help(
                "Queues that are paused: until they are resumed, or for a time, as by their"
                    + " breaker.");
    for (NameSize queue : queues) {
      Labels labels = queue.labels("queue");
      if (queue.work().paused() > 0) {
        paused.dataPoint(point(labels.add("until", "resumed"), queue.work().paused()));
      }
      if (queue.work().resting() > 0) {
        paused.dataPoint(point(labels.add("until", "time"), queue.work().resting()));
      }
    }
    return paused.build();
  }

  /** Only queues that have to wait have series. */
  private static GaugeSnapshot waits(List<NameSize> queues) {
    GaugeSnapshot.Builder waits =
        GaugeSnapshot.builder()
            .name(WAIT)
            .help("How long the rate or breaker of a queue lets its next task wait.");
    queues.stream()
        .filter(queue -> queue.work().waitMs() > 0)
        .forEach(
            queue ->
                waits.dataPoint(
                    point(queue.labels("queue"), queue.work().waitMs() / Meters.MS_PER_SECOND)));
    return waits.build();
  }

  /** Only queues of which there is something to count have series. */
  private static CounterSnapshot counter(
      String name, String help, List<NameSize> queues, ToLongFunction<Work> value) {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
    queues.stream()
        .filter(queue -> value.applyAsLong(queue.work()) > 0)
        .forEach(
            queue ->
                counter.dataPoint(
                    CounterDataPointSnapshot.builder()
                        .labels(queue.labels("queue"))
                        .value((double) value.applyAsLong(queue.work()))
                        .build()));
    return counter.build();
  }

  private static GaugeDataPointSnapshot point(Labels labels, double value) {
    return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }

  /**
   * What was found at the last refresh.
   *
   * @param queueCount of all queues, reported by name or not
   */
  private record Found(List<NameSize> queues, int queueCount, List<NameSize> namespaces) {
    static Found of(LargestNames queues, LargestNames namespaces) {
      return new Found(queues.toList(), queues.count(), namespaces.toList());
    }
  }
}
