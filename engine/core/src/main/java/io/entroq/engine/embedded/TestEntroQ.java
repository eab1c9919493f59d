package io.entroq.engine.embedded;

import io.entroq.api.EntroQException;
import io.entroq.api.worker.Ticker;
import io.entroq.api.worker.Worker;
import io.entroq.engine.time.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A task queue for tests: in memory, with a clock that moves only when it is advanced.
 *
 * <pre>{@code
 * try (TestEntroQ queue = TestEntroQ.open()) {
 *   queue.modify(Modification.insert(Insert.into("q").availableIn(Duration.ofHours(1)))).orThrow();
 *   queue.advance(Duration.ofHours(1));
 *   queue.tryClaim(Claim.from("q")).orElseThrow();
 * }
 * }</pre>
 *
 * <p>Workers on it go by the same clock: leases, retries and pauses last until it is advanced.
 * {@link #awaitIdle} waits for what they do meanwhile. Workers of a closed queue end by themselves.
 * While somebody reads its feed, that takes 16 MiB of direct memory.
 */
public final class TestEntroQ extends EmbeddedEntroQ {
  /** The clock's default start: midnight of 1 January 2026, UTC. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** How long {@link #awaitIdle} waits by default, in real time. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A test has few effects, and often a queue for each of many tests. */
  private static final int FEED_RING_BYTES = 16 << 20;

  private final ManualClock clock;
  private final WorkerHost workers;

  /** Knows from where workers claim. */
  private static final class WorkerHost implements Worker.Host {
    private final Ticker ticker;
    private final Set<String> queues = ConcurrentHashMap.newKeySet();

    WorkerHost(ManualClock clock) {
      ticker = Ticker.following(clock::now);
    }

    @Override
    public Ticker ticker() {
      return ticker;
    }

    @Override
    public void onStart(List<String> names) {
      queues.addAll(names);
    }
  }

  private TestEntroQ(EmbeddedConfig config, ManualClock clock) {
    super(
        config,
        EngineStore.open(
            config, EngineEnvironment.ofThisMachine().withFeedRingBytes(FEED_RING_BYTES)));
    this.clock = clock;
    workers = new WorkerHost(clock);
  }

  /** Opens an empty queue at {@link #START}. */
  public static TestEntroQ open() {
    return open(START);
  }

  /** Opens an empty queue at a time. */
  public static TestEntroQ open(Instant start) {
    ManualClock clock = new ManualClock(start);
    return new TestEntroQ(EmbeddedConfig.inMemory().clock(clock).build(), clock);
  }

  /**
   * Advances the clock, at once. When this returns, everything due by then has happened: waiting
   * claims have received tasks that became available, or have timed out. Their workers may still be
   * at work.
   *
   * <p>A lease that ends meanwhile is lost, as if its worker had been stopped for that time. To
   * keep it, {@linkplain #awaitIdle wait} first, or advance by less than a third of the lease.
   *
   * @param duration zero or more; milliseconds count
   */
  public void advance(Duration duration) {
    clock.advance(duration);
    // Reading the time goes through the engine's thread, after everything due.
    time();
  }

  /** {@link #awaitIdle(Duration, String...)} for {@link #PATIENCE}. */
  public void awaitIdle(String... queues) throws InterruptedException {
    awaitIdle(PATIENCE, queues);
  }

  /**
   * Waits until nothing can happen any more in some queues unless time goes on or somebody calls:
   * no claim would get a task, and no task is in flight. A task is in flight from the step that
   * claims it to the step that commits its outcome, which also inserts its results. Not waited for:
   * tasks that become available later, those of a paused queue, and what a worker does after its
   * commit, such as calling its listener.
   *
   * @param patience how long to wait at most, in real time
   * @param queues their names; without any, those from which workers claim that were started on
   *     this queue. A pool stands for its members, too
   * @throws EntroQException.TimedOut if that is not enough; the message says which tasks are
   *     available, and which are held by whom
   * @throws EntroQException.InvalidArgument if no queue is named and no worker was started
   * @throws InterruptedException if the caller was interrupted
   */
  public void awaitIdle(Duration patience, String... queues) throws InterruptedException {
    new IdleWait(this, IdleWait.named(queues, workers.queues)).await(patience);
  }

  /**
   * Lets time go on with workers at work: {@linkplain #awaitIdle waits} until they are idle,
   * advances the clock to when the next task becomes available or expires, or a pause or a rate
   * lets one start, and so on until the whole time has passed and they are idle again. So each
   * retry happens at its time, which a single {@link #advance} would leap over.
   *
   * @param duration zero or more; milliseconds count
   * @param queues as for {@link #awaitIdle(Duration, String...)}
   * @throws EntroQException.TimedOut if they are not idle within {@link #PATIENCE} at some time
   * @throws EntroQException.InvalidArgument if no queue is named and no worker was started
   * @throws InterruptedException if the caller was interrupted
   */
  public void runFor(Duration duration, String... queues) throws InterruptedException {
    Instant end = now().plus(duration);
    IdleWait idle = new IdleWait(this, IdleWait.named(queues, workers.queues));
    idle.await(PATIENCE);
    while (now().isBefore(end)) {
      Instant next = idle.nextDue().filter(due -> due.isBefore(end)).orElse(end);
      advance(Duration.between(now(), next));
      idle.await(PATIENCE);
    }
  }

  /** The clock's time. */
  public Instant now() {
    return clock.now();
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return type == Worker.Host.class ? Optional.of(type.cast(workers)) : super.extension(type);
  }
}
