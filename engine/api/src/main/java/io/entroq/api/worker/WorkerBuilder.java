package io.entroq.api.worker;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.codec.ValueCodec;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * Says how a {@link Worker} works. For one thread; may be used again for another worker.
 *
 * @param <T> what the values of the tasks are decoded to
 */
public final class WorkerBuilder<T> {
  private static final int CONCURRENCY_MAX = 100_000;

  private final EntroQ queue;
  private final ValueCodec<T> codec;
  private List<String> queues = List.of();
  private Duration lease = Claim.DEFAULT_LEASE;
  private int concurrency = 1;
  private int maxAttempts;
  private int maxClaims = 20;
  private Backoff retryBackoff = Backoff.forTasks();
  private Backoff requestBackoff = Backoff.forRequests();
  private UnaryOperator<String> errorQueue = name -> name + "/err";
  private boolean claimWithCommit = true;
  private Duration drainTimeout = Duration.ofSeconds(30);
  private ThreadFactory threads = namedThreads();
  private WorkerListener listener = WorkerListener.logging();
  private Ticker ticker = Ticker.system();

  WorkerBuilder(EntroQ queue, ValueCodec<T> codec) {
    this.queue = Objects.requireNonNull(queue, "queue");
    this.codec = Objects.requireNonNull(codec, "codec");
  }

  private <S> WorkerBuilder(WorkerBuilder<S> other, ValueCodec<T> codec) {
    this(other.queue, codec);
    queues = other.queues;
    lease = other.lease;
    concurrency = other.concurrency;
    maxAttempts = other.maxAttempts;
    maxClaims = other.maxClaims;
    retryBackoff = other.retryBackoff;
    requestBackoff = other.requestBackoff;
    errorQueue = other.errorQueue;
    claimWithCommit = other.claimWithCommit;
    drainTimeout = other.drainTimeout;
    threads = other.threads;
    listener = other.listener;
    ticker = other.ticker;
  }

  /** The queues to claim from; at least one. */
  public WorkerBuilder<T> from(String... names) {
    return from(List.of(names));
  }

  /** The queues to claim from; at least one. */
  public WorkerBuilder<T> from(Collection<String> names) {
    queues = List.copyOf(names);
    return this;
  }

  /** How values are decoded. A task whose value cannot be decoded is quarantined. Default: not. */
  public <S> WorkerBuilder<S> values(ValueCodec<S> newCodec) {
    return new WorkerBuilder<>(this, newCodec);
  }

  /**
   * How long a task is the worker's without a word from it; renewed at half of it while the handler
   * runs. At least 1 ms; default 30 s.
   */
  public WorkerBuilder<T> lease(Duration newLease) {
    lease = atLeastOneMs("lease", newLease);
    return this;
  }

  /** How many tasks are worked on at once, each on a thread of its own. From 1; default 1. */
  public WorkerBuilder<T> concurrency(int tasks) {
    concurrency = inRange("concurrency", tasks, 1, CONCURRENCY_MAX);
    return this;
  }

  /** After how many failures a task is quarantined. Default 0: it is tried for ever. */
  public WorkerBuilder<T> maxAttempts(int failures) {
    maxAttempts = inRange("maxAttempts", failures, 0, Integer.MAX_VALUE);
    return this;
  }

  /**
   * How many claims of a task may go without a failure, as when the process dies of it, before it
   * is quarantined without being handled: {@link io.entroq.api.Task#claims()} less {@link
   * io.entroq.api.Task#attempt()}. Default 20; 0: any number.
   *
   * <p>A task does not tell whether a claim ended in a death or in a change, so changes count too:
   * each step of a task that is {@linkplain Outcome#moveTo(String) moved} from queue to queue, each
   * {@linkplain Outcome#release() release}, each worker that closes while it has the task, each
   * {@linkplain Outcome#modify modification} that puts it back. A task with a way of many steps
   * needs a larger number here, or each step a {@linkplain Outcome#done(io.entroq.api.Modification)
   * task of its own}.
   */
  public WorkerBuilder<T> maxClaims(int claims) {
    maxClaims = inRange("maxClaims", claims, 0, Integer.MAX_VALUE);
    return this;
  }

  /** How long a failed task rests. Default {@link Backoff#forTasks()}. */
  public WorkerBuilder<T> retryBackoff(Backoff backoff) {
    retryBackoff = Objects.requireNonNull(backoff, "backoff");
    return this;
  }

  /** How long to pause when the queue fails. Default {@link Backoff#forRequests()}. */
  public WorkerBuilder<T> requestBackoff(Backoff backoff) {
    requestBackoff = Objects.requireNonNull(backoff, "backoff");
    return this;
  }

  /** Where tasks of a queue are quarantined. Default: the queue's name and {@code /err}. */
  public WorkerBuilder<T> errorQueue(UnaryOperator<String> naming) {
    errorQueue = Objects.requireNonNull(naming, "naming");
    return this;
  }

  /** Whether a commit claims the next task in the same request. Default true. */
  public WorkerBuilder<T> claimWithCommit(boolean yes) {
    claimWithCommit = yes;
    return this;
  }

  /** How long {@link Worker#close()} lets handlers go on. Zero or more; default 30 s. */
  public WorkerBuilder<T> drainTimeout(Duration timeout) {
    if (timeout.isNegative()) {
      throw new EntroQException.InvalidArgument("drainTimeout must not be negative: " + timeout);
    }
    drainTimeout = timeout;
    return this;
  }

  /** Where the threads come from, virtual ones too. Default: named platform threads. */
  public WorkerBuilder<T> threads(ThreadFactory factory) {
    threads = Objects.requireNonNull(factory, "factory");
    return this;
  }

  /** Who is told what happens. Default {@link WorkerListener#logging()}. */
  public WorkerBuilder<T> listener(WorkerListener newListener) {
    listener = Objects.requireNonNull(newListener, "listener");
    return this;
  }

  /** By what time is measured; for tests. Default {@link Ticker#system()}. */
  public WorkerBuilder<T> ticker(Ticker newTicker) {
    ticker = Objects.requireNonNull(newTicker, "ticker");
    return this;
  }

  /**
   * Starts a worker that does this with every task.
   *
   * @throws EntroQException.InvalidArgument if there is no queue, or the name of one is not valid
   */
  public Worker start(Handler<T> handler) {
    Objects.requireNonNull(handler, "handler");
    Worker worker = new Worker(config(handler));
    worker.start();
    return worker;
  }

  /**
   * The decisions of such a worker about one task at a time, without anything that acts on them.
   * The concurrency, the threads, the ticker and the drain timeout are the caller's business then.
   *
   * @param random from 0 to below 1, for the pauses; asked only by the thread that takes the steps
   * @throws EntroQException.InvalidArgument if there is no queue, or the name of one is not valid
   */
  public WorkerSteps<T> steps(DoubleSupplier random) {
    Objects.requireNonNull(random, "random");
    return new WorkerSteps<>(rules(random), new WorkerCounters(), new Closing());
  }

  private WorkerConfig<T> config(Handler<T> handler) {
    WorkRules<T> rules = rules(() -> ThreadLocalRandom.current().nextDouble());
    return new WorkerConfig<>(queue, rules, handler, concurrency, drainTimeout, threads, ticker);
  }

  private WorkRules<T> rules(DoubleSupplier random) {
    return new WorkRules<>(
        Claim.from(queues).withLease(lease),
        codec,
        new CommitPlan(maxAttempts, pauses(retryBackoff, random), errorQueue),
        maxClaims,
        claimWithCommit,
        pauses(requestBackoff, random),
        new SafeListener(listener));
  }

  private static IntFunction<Duration> pauses(Backoff backoff, DoubleSupplier random) {
    return failures -> backoff.after(failures, random.getAsDouble());
  }

  private static Duration atLeastOneMs(String name, Duration duration) {
    if (duration.compareTo(Duration.ofMillis(1)) < 0) {
      throw new EntroQException.InvalidArgument(name + " must be at least 1 ms, is " + duration);
    }
    return duration;
  }

  private static int inRange(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new EntroQException.InvalidArgument(
          name + " must be from " + min + " to " + max + ", is " + value);
    }
    return value;
  }

  private static ThreadFactory namedThreads() {
    AtomicInteger number = new AtomicInteger();
    return loop -> new Thread(loop, "entroq-worker-" + number.incrementAndGet());
  }
}
