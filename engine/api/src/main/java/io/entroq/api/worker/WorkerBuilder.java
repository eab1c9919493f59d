package io.entroq.api.worker;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.codec.ValueCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * Configures a {@link Worker}. Not thread-safe; may be reused for several workers.
 *
 * @param <T> the type of the decoded values
 */
public final class WorkerBuilder<T> {
  private static final int CONCURRENCY_MAX = 100_000;
  private static final int ATTEMPTS_DEFAULT = 20;

  private final EntroQ queue;
  private final ValueCodec<T> codec;
  private List<String> queues = List.of();
  private Duration lease = Claim.DEFAULT_LEASE;
  private int concurrency = 1;
  private int maxAttempts = ATTEMPTS_DEFAULT;
  private int maxClaims = 20;
  private List<Class<? extends Throwable>> quarantineOn = List.of();
  private Duration maxRuntime = Duration.ZERO;
  private Backoff retryBackoff = Backoff.forTasks();
  private Backoff requestBackoff = Backoff.forRequests();
  private UnaryOperator<String> errorQueue = name -> name + "/err";
  private boolean claimWithCommit = true;
  private Duration drainTimeout = Duration.ofSeconds(30);
  private ThreadFactory threads = namedThreads();
  private WorkerListener listener = WorkerListener.logging();
  private final List<WorkerListener> added = new ArrayList<>();

  /** Null: that of the queue. */
  private Ticker ticker;

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
    quarantineOn = other.quarantineOn;
    maxRuntime = other.maxRuntime;
    retryBackoff = other.retryBackoff;
    requestBackoff = other.requestBackoff;
    errorQueue = other.errorQueue;
    claimWithCommit = other.claimWithCommit;
    drainTimeout = other.drainTimeout;
    threads = other.threads;
    listener = other.listener;
    added.addAll(other.added);
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

  /** How to decode values. A task with an undecodable value is quarantined. Default: raw values. */
  public <S> WorkerBuilder<S> values(ValueCodec<S> newCodec) {
    return new WorkerBuilder<>(this, newCodec);
  }

  /** Values are objects of a class as JSON: {@link ValueCodec#json}. */
  public <S> WorkerBuilder<S> values(Class<S> type) {
    return values(ValueCodec.json(type));
  }

  /**
   * Length of a lease: how long a task stays claimed if the worker dies. While the handler runs,
   * the lease is renewed after two thirds of it. At least 1 ms; default 45 s. A server may grant
   * another length.
   */
  public WorkerBuilder<T> lease(Duration newLease) {
    lease = atLeastOneMs("lease", newLease);
    return this;
  }

  /** How many tasks to handle at once, each on its own thread. From 1 to 100,000; default 1. */
  public WorkerBuilder<T> concurrency(int tasks) {
    concurrency = inRange("concurrency", tasks, 1, CONCURRENCY_MAX);
    return this;
  }

  /**
   * After how many failures a task is quarantined. Default 20; 0 for never.
   *
   * <p>The {@linkplain io.entroq.api.QueuePolicy#attempts() policy of a queue} may have a limit,
   * too. The first one that is reached holds, so a policy with more than 20 attempts needs workers
   * with 0.
   */
  public WorkerBuilder<T> maxAttempts(int failures) {
    maxAttempts = inRange("maxAttempts", failures, 0, Integer.MAX_VALUE);
    return this;
  }

  /** {@link #quarantineOn(Collection)}. */
  @SafeVarargs
  public final WorkerBuilder<T> quarantineOn(Class<? extends Throwable>... types) {
    List<Class<? extends Throwable>> all = new ArrayList<>();
    for (Class<? extends Throwable> type : types) {
      all.add(type);
    }
    return quarantineOn(all);
  }

  /**
   * What a handler throws, subclasses included, if a retry would not help: the task is quarantined
   * at once. Default: nothing. A handler that runs longer than {@link #maxRuntime} is retried, no
   * matter what it throws.
   */
  public WorkerBuilder<T> quarantineOn(Collection<? extends Class<? extends Throwable>> types) {
    quarantineOn = List.copyOf(types);
    return this;
  }

  /**
   * How often in a row a task may be claimed without a recorded outcome before it is quarantined
   * without being handled. This catches tasks that kill their process. Default 20; 0 for no limit.
   *
   * <p>Where there are {@linkplain EntroQ#hasPolicies() policies}, {@link
   * io.entroq.api.Task#lapses()} tells. Elsewhere, each commit that keeps the task, such as a retry
   * or a move, sets {@link io.entroq.api.Task#claims()} to 0. These do not, and so count: a
   * {@linkplain Outcome#release() release}, and a worker that closes while it holds the task.
   */
  public WorkerBuilder<T> maxClaims(int claims) {
    maxClaims = inRange("maxClaims", claims, 0, Integer.MAX_VALUE);
    return this;
  }

  /**
   * How long a handler may run. After that it is interrupted and the task has failed. Its lease is
   * no longer renewed, so that a handler that ignores the interrupt does not hold the task for
   * ever. At least 1 ms; by default there is no limit, and zero means none.
   */
  public WorkerBuilder<T> maxRuntime(Duration time) {
    maxRuntime = time.isZero() ? time : atLeastOneMs("maxRuntime", time);
    return this;
  }

  /**
   * Delay before a failed task is retried. Default {@link Backoff#forTasks()}. It does not apply to
   * a queue whose {@linkplain io.entroq.api.QueuePolicy#retry() policy} has a retry: there, the
   * policy decides.
   */
  public WorkerBuilder<T> retryBackoff(Backoff backoff) {
    retryBackoff = Objects.requireNonNull(backoff, "backoff");
    return this;
  }

  /** Pause after a failed request to the queue. Default {@link Backoff#forRequests()}. */
  public WorkerBuilder<T> requestBackoff(Backoff backoff) {
    requestBackoff = Objects.requireNonNull(backoff, "backoff");
    return this;
  }

  /** Maps a queue to its error queue. Default: the queue's name followed by {@code /err}. */
  public WorkerBuilder<T> errorQueue(UnaryOperator<String> naming) {
    errorQueue = Objects.requireNonNull(naming, "naming");
    return this;
  }

  /** Whether a commit also claims the next task, in one request. Default true. */
  public WorkerBuilder<T> claimWithCommit(boolean yes) {
    claimWithCommit = yes;
    return this;
  }

  /** How long {@link Worker#close()} waits for handlers. Zero or more; default 30 s. */
  public WorkerBuilder<T> drainTimeout(Duration timeout) {
    if (timeout.isNegative()) {
      throw new EntroQException.InvalidArgument("drainTimeout must not be negative, is " + timeout);
    }
    drainTimeout = timeout;
    return this;
  }

  /** Creates the threads, which may be virtual. Default: named platform threads. */
  public WorkerBuilder<T> threads(ThreadFactory factory) {
    threads = Objects.requireNonNull(factory, "factory");
    return this;
  }

  /**
   * Receives the worker's events, in place of the one that was set before. Default {@link
   * WorkerListener#logging()}.
   */
  public WorkerBuilder<T> listener(WorkerListener newListener) {
    listener = Objects.requireNonNull(newListener, "listener");
    return this;
  }

  /** Receives the worker's events as well, such as to trace or to measure it. */
  public WorkerBuilder<T> addListener(WorkerListener other) {
    added.add(Objects.requireNonNull(other, "other"));
    return this;
  }

  /**
   * The time source, for tests. Default: that of the {@linkplain Worker.Host queue}, if it has one;
   * else {@link Ticker#system()}.
   */
  public WorkerBuilder<T> ticker(Ticker newTicker) {
    ticker = Objects.requireNonNull(newTicker, "ticker");
    return this;
  }

  /**
   * Starts a worker that runs this handler for every task.
   *
   * @throws EntroQException.InvalidArgument if there is no queue or a queue name is invalid
   */
  public Worker start(Handler<T> handler) {
    Objects.requireNonNull(handler, "handler");
    Optional<Worker.Host> host = queue.extension(Worker.Host.class);
    Worker worker = new Worker(config(handler, ticker(host)));
    // Before a thread claims: whoever waits for the work then knows of it.
    host.ifPresent(home -> home.onStart(queues));
    worker.start();
    return worker;
  }

  /**
   * Creates only the decisions of such a worker, for a caller that carries them out itself.
   * Concurrency, threads, ticker and drain timeout do not apply, nor does {@link
   * WorkerListener#around}.
   *
   * @param random returns 0 (inclusive) to 1 (exclusive), for jitter; called only on the thread
   *     that takes the steps
   * @throws EntroQException.InvalidArgument if there is no queue or a queue name is invalid
   */
  public WorkerSteps<T> steps(DoubleSupplier random) {
    Objects.requireNonNull(random, "random");
    return new WorkerSteps<>(rules(random), new WorkerCounters(), new Closing());
  }

  private Ticker ticker(Optional<Worker.Host> host) {
    return ticker != null ? ticker : host.map(Worker.Host::ticker).orElseGet(Ticker::system);
  }

  private WorkerConfig<T> config(Handler<T> handler, Ticker time) {
    WorkRules<T> rules = rules(() -> ThreadLocalRandom.current().nextDouble());
    return new WorkerConfig<>(queue, rules, handler, concurrency, drainTimeout, threads, time);
  }

  private WorkRules<T> rules(DoubleSupplier random) {
    return new WorkRules<>(
        Claim.from(queues).withLease(lease),
        codec,
        new CommitPlan(maxAttempts, pauses(retryBackoff, random), errorQueue, queue::hasPolicies),
        maxClaims,
        quarantineOn,
        maxRuntime,
        claimWithCommit,
        pauses(requestBackoff, random),
        new SafeListener(allListeners()));
  }

  private List<WorkerListener> allListeners() {
    List<WorkerListener> all = new ArrayList<>(List.of(listener));
    all.addAll(added);
    return List.copyOf(all);
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
