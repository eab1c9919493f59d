package io.entroq.service.metrics;

import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.gateway.FeedStats;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.ViewStats;
import io.entroq.service.call.ObservedService;
import io.entroq.service.call.Service;
import io.entroq.service.collector.CollectorStats;
import io.entroq.service.insight.Insight;
import io.entroq.service.queue.ClampedLeases;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The metrics of a server. Any thread. Close it before the engine.
 *
 * <p>{@code deploy/observability/README.md} of the server lists them.
 */
public final class Metrics implements AutoCloseable {
  /** The media type of the page. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final Duration STATS_MAX_AGE = Duration.ofMillis(500);

  /** Scrapers wait about 10 s and prefer old values to none. */
  private static final Duration REFRESH_MAX = Duration.ofSeconds(2);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final ExecutorService writer = Executors.newSingleThreadExecutor(Metrics::thread);
  private final List<Supplier<?>> held = new CopyOnWriteArrayList<>();
  private final NameSizes queues;
  private final int queuesMax;

  /** Null if nothing is counted. */
  private volatile EventSeries events;

  /** Metrics of a process that serves a gateway. */
  public Metrics(MetricsConfig config, Gateway gateway) {
    queues = new NameSizes(gateway, config);
    queuesMax = config.queuesMax();
    registry.getPrometheusRegistry().register(queues);
    new ClassLoaderMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    gc.bindTo(registry);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-metrics");
    thread.setDaemon(true);
    return thread;
  }

  /** Adds the metrics of the process's own engine. */
  public void engine(Supplier<EngineStats> stats) {
    EngineMeters.register(meters(stats));
  }

  /** Adds the metrics of a cluster member. */
  public void member(MemberNumbers numbers) {
    MemberMeters.registerStatus(meters(() -> numbers.status().orElse(null)));
    MemberMeters.registerRetention(meters(numbers::retention));
    MemberMeters.registerMirror(meters(numbers::mirror));
    MemberMeters.registerProposals(meters(numbers::proposals));
    EngineMeters.registerClock(meters(numbers::clock), clock -> clock);
    EngineMeters.registerState(meters(() -> numbers.engine().orElse(null)));
    meters(numbers::leaderAheadMs)
        .gauge(
            "entroq.member.leader.clock.ahead.seconds",
            "The leader's clock minus the member's, while commands are written.",
            aheadMs -> aheadMs / Meters.MS_PER_SECOND);
    meters(numbers::diskUsableBytes)
        .gauge("entroq.disk.usable.bytes", "Free space on the disk.", disk -> disk);
  }

  /** Meters of statistics that are read at most once per scrape. */
  private <T> Meters<T> meters(Supplier<T> stats) {
    Supplier<T> recent = new Recent<>(stats, STATS_MAX_AGE);
    // Meters hold them weakly.
    held.add(recent);
    return new Meters<>(registry, recent);
  }

  /** Counts the calls of a service. */
  public Service measure(Service service) {
    return new ObservedService(service, new RequestMeters(registry, service.facade()));
  }

  /** Adds what happens to queues. */
  public void insight(Insight insight) {
    events = new EventSeries(insight, queuesMax);
    registry.getPrometheusRegistry().register(events);
  }

  /** Adds the number of waiting claims. */
  public void waitingClaims(IntSupplier count) {
    Gauge.builder("entroq.waiting.claims", count, IntSupplier::getAsInt)
        .description("Claims that wait for a task.")
        .strongReference(true)
        .register(registry);
  }

  /** Adds the numbers of leases that are not the ones that their claims asked for. */
  public void clampedLeases(ClampedLeases leases) {
    for (ClampedLeases.Kind kind : ClampedLeases.Kind.values()) {
      for (ClampedLeases.Reason reason : ClampedLeases.Reason.values()) {
        meters(() -> leases.of(kind, reason))
            .counter(
                "entroq.claim.lease.clamped",
                "Claims whose lease was raised to the floor or lowered to the ceiling.",
                count -> count,
                "kind",
                kind.label(),
                "reason",
                reason.label());
      }
    }
  }

  /** Adds what the collector of old queues and namespaces has done. */
  public void collector(Supplier<CollectorStats> stats) {
    Meters<CollectorStats> meters = meters(stats);
    meters.counter(
        "entroq.gc.deleted",
        "Tasks and docs deleted because the name of their queue or namespace says so.",
        CollectorStats::deleted);
    String errors = "Names whose gc= cannot be read, and sweeps that failed.";
    meters.counter("entroq.gc.errors", errors, CollectorStats::malformed, "kind", "malformed");
    meters.counter("entroq.gc.errors", errors, CollectorStats::failures, "kind", "sweep");
    meters.timer(
        "entroq.gc.sweep.duration",
        "Sweeps over the names of all queues and namespaces.",
        CollectorStats::sweeps,
        CollectorStats::sweepNs);
  }

  /** Adds the numbers of a feed. */
  public void feed(Supplier<FeedStats> stats) {
    Meters<FeedStats> meters = meters(stats);
    meters.gauge("entroq.feed.readers", "Open feeds.", FeedStats::readers);
    meters.gauge("entroq.feed.replays", "Feeds that read history.", FeedStats::replays);
    meters.counter(
        "entroq.feed.replays.opened",
        "How often a feed began to read history.",
        FeedStats::replaysOpened);
    meters.counter(
        "entroq.feed.overruns",
        "How often a feed was too slow for what is in memory.",
        FeedStats::overruns);
    meters.counter("entroq.feed.effects", "Effects shown to feeds.", FeedStats::effects);
    meters.gauge(
        "entroq.feed.first.sequence",
        "The first record whose effects are kept.",
        feed -> feed.kept().firstSequence());
    meters.gauge(
        "entroq.feed.last.sequence",
        "The last record whose effects may be shown.",
        feed -> feed.kept().lastSequence());
  }

  /** Adds the numbers of views of the past. */
  public void views(Supplier<ViewStats> stats) {
    Meters<ViewStats> meters = meters(stats);
    meters.gauge("entroq.views.open", "Points of the past that are shown.", ViewStats::open);
    meters.counter("entroq.views.opened", "States of the past restored.", ViewStats::opened);
    meters.counter(
        "entroq.views.refused",
        "Calls as of a point that were refused because others were shown.",
        ViewStats::refused);
  }

  /** Adds the number of connections closed because they flooded the server. */
  public void floodingConnections(LongSupplier count) {
    meters(count::getAsLong)
        .counter(
            "entroq.flooding.connections",
            "gRPC connections that were closed because they flooded the server.",
            closed -> closed);
  }

  /** Adds the behavior level. */
  public void level(IntSupplier level) {
    Gauge.builder("entroq.behaviour.level", level, IntSupplier::getAsInt)
        .description("The behavior level of the state; 0 while a member has none.")
        .strongReference(true)
        .register(registry);
  }

  public MeterRegistry registry() {
    return registry;
  }

  /** The page; queue statistics may be some seconds old. */
  public CompletionStage<String> page() {
    return page(registry::scrape);
  }

  /** The page without the series that name queues. */
  public CompletionStage<String> pageWithoutQueues() {
    return page(this::scrapeWithoutQueues);
  }

  private CompletionStage<String> page(Supplier<String> scrape) {
    return refresh()
        .toCompletableFuture()
        .copy()
        .completeOnTimeout(null, REFRESH_MAX.toMillis(), TimeUnit.MILLISECONDS)
        .thenApplyAsync(refreshed -> scrape.get(), writer);
  }

  private CompletionStage<?> refresh() {
    EventSeries counted = events;
    return counted == null
        ? queues.refresh()
        : queues.refresh().thenCombine(counted.refresh(), (sizes, dead) -> sizes);
  }

  private String scrapeWithoutQueues() {
    Set<String> names =
        registry
            .getPrometheusRegistry()
            .scrape(
                name ->
                    !NameSizes.NAMING_QUEUES.contains(name)
                        && !EventSeries.NAMING_QUEUES.contains(name))
            .stream()
            .map(series -> series.getMetadata().getPrometheusName())
            .collect(Collectors.toSet());
    return registry.scrape(CONTENT_TYPE, names);
  }

  @Override
  public void close() {
    writer.shutdown();
    gc.close();
    registry.close();
  }
}
