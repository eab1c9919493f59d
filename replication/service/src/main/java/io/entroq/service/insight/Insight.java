package io.entroq.service.insight;

import io.entroq.codec.wire.edge.DeadQueue;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.View;
import io.entroq.service.call.Service;
import io.entroq.service.insight.sweep.QueueSweep;
import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * What people want to know of the queues of a server. Any thread. Close it before the engine, and
 * after the last call.
 */
public final class Insight implements AutoCloseable {
  /** Of the queues whose events are counted in total. */
  private static final int QUEUES_MAX = 200_000;

  private static final int WORKERS_MAX = 10_000;
  private static final int HELD_MAX = 100_000;
  private static final int THREAD_IDLE_S = 10;

  private final long sinceMs = System.currentTimeMillis();
  private final Supplier<ServerFigures> figures;
  private final ServerHistory history = new ServerHistory();
  private final WaitingClaims waiting = new WaitingClaims();
  private final EffectTally tally;
  private final QueueSweep sweep;
  private final InsightReader reader;
  private final InsightConfig config;
  private final PresentLook present;

  /** Softly, as a look at many queues is large. */
  private final AtomicReference<SoftReference<PastLook>> lastPast =
      new AtomicReference<>(new SoftReference<>(null));

  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          1,
          1,
          THREAD_IDLE_S,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Insight::thread,
          // What runs after close() has no caller any more.
          new ThreadPoolExecutor.DiscardPolicy());

  private Insight(
      Gateway gateway, EffectFeed feed, Supplier<ServerFigures> figures, InsightConfig config) {
    this.figures = figures;
    this.config = config;
    executor.allowCoreThreadTimeOut(true);
    tally =
        new EffectTally(
            new RateBook(QUEUES_MAX, config.rateQueuesMax()),
            new WorkerBook(WORKERS_MAX, HELD_MAX));
    present = new PresentLook(this);
    sweep = new QueueSweep(gateway, config.sweepQueuesMax(), executor, System::nanoTime);
    reader = InsightReader.start(feed, tally);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-insight-answers");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Begins to count.
   *
   * @param feed of the same queue
   * @param figures what the server says of itself; asked when somebody looks, and must not block
   */
  public static Insight start(
      Gateway gateway, EffectFeed feed, Supplier<ServerFigures> figures, InsightConfig config) {
    return new Insight(gateway, feed, figures, config);
  }

  /**
   * Adds insight to a service that executes calls in the same queue. One of the v0 API only tells
   * which claims wait.
   */
  public Service before(Service service) {
    return new InsightService(service, this, present);
  }

  /**
   * Adds insight to a service of a view: what can be told of then.
   *
   * @param view open as long as the service is used
   */
  public Service before(Service service, View view) {
    return new InsightService(service, this, past(view).through(view.gateway()));
  }

  /** The last state of the past that was looked at is remembered: a visit asks several times. */
  private PastLook past(View view) {
    PastLook known = lastPast.get().get();
    if (known != null && known.isOf(view.sequence(), view.timeMs())) {
      return known;
    }
    PastLook begun =
        new PastLook(
            view.sequence(), Moment.at(view.timeMs()), tally, config.sweepQueuesMax(), executor);
    lastPast.set(new SoftReference<>(begun));
    return begun;
  }

  /**
   * How often each {@link Event} has happened, by its ordinal: of all queues, by the empty name; of
   * the busiest ones; and of others that are asked for, as far as they are remembered.
   *
   * @param busiest how many of them
   */
  public Map<String, long[]> totals(int busiest, Set<String> others) {
    return tally.rates(
        rates -> {
          Map<String, long[]> totals = new HashMap<>();
          totals.put("", rates.all().totals());
          rates.busiest(busiest).forEach(entry -> totals.put(entry.text(), entry.totals()));
          for (String name : others) {
            RateEntry entry = rates.find(name);
            if (entry != null) {
              totals.put(name, entry.totals());
            }
          }
          return totals;
        });
  }

  /** The largest dead queues, and how they grow. Fails if the engine refuses to be looked at. */
  public CompletionStage<List<DeadQueue>> deadQueues(int max) {
    return sweep
        .look()
        .thenApplyAsync(
            found -> new QueueAnswers(tally, Moment.NOW).deadQueues(found, max), executor);
  }

  WaitingClaims waiting() {
    return waiting;
  }

  EffectTally tally() {
    return tally;
  }

  QueueSweep sweep() {
    return sweep;
  }

  /** Since when events are counted, in milliseconds since the epoch. */
  long sinceMs() {
    return sinceMs;
  }

  /** Runs something soon, on the thread that answers. */
  void execute(Runnable run) {
    executor.execute(run);
  }

  /** Answers soon, on that thread. */
  <S> CompletableFuture<S> later(Supplier<S> answer) {
    return CompletableFuture.supplyAsync(answer, executor);
  }

  /** What is wrong with the server. */
  Problems problems() {
    Problems problems = new Problems();
    ServerFigures now = figures.get();
    long minute = RateAnswers.nowS() / RateStep.MINUTE.seconds();
    synchronized (history) {
      history.add(minute, now);
      problems.server(now, history, minute);
    }
    return problems;
  }

  @Override
  public void close() {
    reader.close();
    executor.shutdownNow();
  }
}
