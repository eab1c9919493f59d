package io.entroq.service.metrics;

import io.entroq.codec.wire.edge.DeadQueue;
import io.entroq.service.insight.Event;
import io.entroq.service.insight.Insight;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * What happens to queues, and how dead queues grow. A queue that was once among the busiest keeps
 * its counters, until there are as many as may be named; what happens to others is added up. So no
 * counter ever falls. Any thread.
 */
final class EventSeries implements MultiCollector {
  private static final String EVENTS = "entroq_queue_events";
  private static final String QUARANTINED = "entroq_quarantined_tasks";
  private static final String GROWTH = "entroq_quarantine_growth_tasks";
  private static final String OTHERS = "(other queues)";

  /** Several queues may have one name here: so many for each that may be named. */
  private static final int QUEUES_PER_NAME = 4;

  /** The series that have names of queues as labels. */
  static final Set<String> NAMING_QUEUES = Set.of(EVENTS, QUARANTINED, GROWTH);

  private final Insight insight;
  private final int namesMax;

  /** Counts by the names that are reported. */
  private final Map<String, long[]> counters = new TreeMap<>();

  /** Counts of all other queues. */
  private final long[] others = new long[Event.values().length];

  /** What was counted so far of each queue that has a name, and of all, whose name is empty. */
  private final Map<String, long[]> seen = new HashMap<>();

  private volatile List<DeadQueue> dead = List.of();

  EventSeries(Insight insight, int namesMax) {
    this.insight = insight;
    this.namesMax = namesMax;
  }

  /** Asks for dead queues; completes even if that fails, and keeps what was known. */
  CompletionStage<?> refresh() {
    return insight
        .deadQueues(namesMax)
        .handle(
            (found, failure) -> {
              dead = failure == null ? found : dead;
              return null;
            });
  }

  @Override
  public MetricSnapshots collect() {
    GaugeSnapshot.Builder tasks =
        GaugeSnapshot.builder().name(QUARANTINED).help("Tasks in a dead queue.");
    GaugeSnapshot.Builder growth =
        GaugeSnapshot.builder()
            .name(GROWTH)
            .help("How many more tasks a dead queue has than half an hour ago.");
    for (DeadQueue queue : dead) {
      Labels labels = NameSize.none(queue.getName()).labels("queue");
      tasks.dataPoint(point(labels, queue.getTasks()));
      growth.dataPoint(point(labels, queue.getGrowth30M()));
    }
    return MetricSnapshots.of(events(), tasks.build(), growth.build());
  }

  private static GaugeDataPointSnapshot point(Labels labels, long value) {
    return GaugeDataPointSnapshot.builder().labels(labels).value((double) value).build();
  }

  private synchronized CounterSnapshot events() {
    count(insight.totals(namesMax, seen.keySet()));
    CounterSnapshot.Builder events =
        CounterSnapshot.builder().name(EVENTS).help("What happened to tasks of a queue, by kind.");
    counters.forEach((name, counts) -> add(events, name, counts));
    add(events, OTHERS, others);
    return events.build();
  }

  private static void add(CounterSnapshot.Builder events, String queue, long[] counts) {
    Labels labels = NameSize.none(queue).labels("queue");
    for (Event event : Event.values()) {
      events.dataPoint(
          CounterDataPointSnapshot.builder()
              .labels(labels.add("kind", event.name().toLowerCase(Locale.ROOT)))
              .value((double) counts[event.ordinal()])
              .build());
    }
  }

  private void count(Map<String, long[]> totals) {
    boolean isFirst = seen.isEmpty();
    long[] rest = added("", totals.remove(""));
    for (Map.Entry<String, long[]> queue : totals.entrySet()) {
      String name = NameSize.folded(queue.getKey());
      if (!isNamed(queue.getKey(), name)) {
        continue;
      }
      if (!isFirst && !seen.containsKey(queue.getKey())) {
        // What has happened before was added up with the others.
        seen.put(queue.getKey(), queue.getValue());
      }
      long[] added = added(queue.getKey(), queue.getValue());
      long[] counts = counters.computeIfAbsent(name, first -> new long[added.length]);
      for (int i = 0; i < added.length; i++) {
        counts[i] += added[i];
        rest[i] -= added[i];
      }
    }
    for (int i = 0; i < rest.length; i++) {
      others[i] += Math.max(0, rest[i]);
    }
  }

  /** Whether the queue has a name here, or may have one. */
  private boolean isNamed(String queue, String name) {
    return seen.containsKey(queue)
        || (!name.equals(OTHERS)
            && seen.size() <= QUEUES_PER_NAME * namesMax
            && (counters.containsKey(name) || counters.size() < namesMax));
  }

  /** What has happened since it was counted last; a queue that was forgotten begins at 0. */
  private long[] added(String queue, long[] total) {
    long[] before = seen.put(queue, total);
    long[] added = total.clone();
    for (int i = 0; before != null && i < added.length; i++) {
      added[i] -= total[i] >= before[i] ? before[i] : 0;
    }
    return added;
  }
}
