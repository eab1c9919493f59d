package io.entroq.spring;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.worker.Worker;
import io.entroq.api.worker.WorkerBuilder;
import io.entroq.api.worker.WorkerListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * The workers of all listeners. They start after everything else of the application, and stop
 * before it: handlers that run may end, and what they did is committed.
 */
final class QueueListeners implements SmartInitializingSingleton, SmartLifecycle {
  /** The part of the time for a stop that is left to handlers that were interrupted. */
  private static final int CANCEL_SHARE = 5;

  private static final Duration CANCEL_MAX = Duration.ofSeconds(5);

  /**
   * How listeners run.
   *
   * @param isAutoStartup whether they start with the application
   * @param stopTimeout how long a stop may take
   * @param threads makes the threads of a listener, by its name
   * @param workerListeners hear of all workers; the first is the outermost
   * @param customizers in the order in which they are called
   */
  record Settings(
      boolean isAutoStartup,
      Duration stopTimeout,
      Function<String, ThreadFactory> threads,
      List<WorkerListener> workerListeners,
      List<WorkerCustomizer> customizers) {}

  private final EntroQ queue;
  private final ListenerFinder finder;
  private final PayloadCodecs codecs;
  private final Settings settings;
  private volatile List<RunningListener> listeners = List.of();
  private volatile boolean isRunning;

  QueueListeners(EntroQ queue, ListenerFinder finder, PayloadCodecs codecs, Settings settings) {
    this.queue = queue;
    this.finder = finder;
    this.codecs = codecs;
    this.settings = settings;
  }

  /** All of them, in the order of their names. */
  List<RunningListener> all() {
    return listeners;
  }

  /** Fails the start of the application if a listener is wrong. */
  @Override
  public void afterSingletonsInstantiated() {
    listeners = finder.find().stream().map(RunningListener::new).toList();
    // Checks the settings before any worker starts.
    listeners.forEach(this::builder);
  }

  @Override
  public boolean isAutoStartup() {
    return settings.isAutoStartup();
  }

  @Override
  public void start() {
    isRunning = true;
    listeners.forEach(listener -> listener.use(start(listener)));
  }

  private Worker start(RunningListener listener) {
    return builder(listener).start(listener.definition().method());
  }

  private WorkerBuilder<Object> builder(RunningListener listener) {
    ListenerDefinition definition = listener.definition();
    try {
      WorkerBuilder<Object> builder =
          Worker.on(queue)
              .values(codecs.of(definition.method().payload()))
              .from(definition.queues())
              .concurrency(definition.concurrency())
              .lease(definition.lease())
              .maxAttempts(definition.attempts())
              .quarantineOn(definition.quarantine())
              .threads(settings.threads().apply(definition.name()));
      settings.workerListeners().forEach(builder::addListener);
      settings
          .customizers()
          .forEach(customizer -> customizer.customize(definition.name(), builder));
      return builder;
    } catch (EntroQException.InvalidArgument e) {
      throw new InvalidListenerException(
          "The listener " + definition.name() + " has a wrong setting: " + e.getMessage(),
          "Correct @QueueListener at " + definition.method() + ", or entroq.listener.*.",
          e);
    }
  }

  @Override
  public void stop() {
    stopAsync().join();
  }

  @Override
  public void stop(Runnable whenStopped) {
    CompletableFuture<Void> unused = stopAsync().whenComplete((done, failure) -> whenStopped.run());
  }

  /** All stop claiming at once. None may hold up the others. */
  private CompletableFuture<Void> stopAsync() {
    Executor threads = task -> new Thread(task, "entroq-stop").start();
    Duration timeout = settings.stopTimeout().minus(forCancelled());
    CompletableFuture<?>[] stops =
        listeners.stream()
            .map(RunningListener::worker)
            .filter(worker -> worker != null)
            .map(worker -> CompletableFuture.runAsync(() -> worker.close(timeout), threads))
            .toArray(CompletableFuture<?>[]::new);
    isRunning = false;
    return CompletableFuture.allOf(stops);
  }

  private Duration forCancelled() {
    Duration share = settings.stopTimeout().dividedBy(CANCEL_SHARE);
    return share.compareTo(CANCEL_MAX) < 0 ? share : CANCEL_MAX;
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }
}
