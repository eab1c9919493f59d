package io.entroq.workers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.TaskQuery;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Worker;
import io.entroq.workers.GatewayEnding.Ended;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Lets a program in any language be a worker: claims tasks for it, renews their leases, and
 * commits, retries or quarantines as it says.
 *
 * <p>It speaks protocol 1 of EntroQ's work gateway over two streams, one JSON object a line, or
 * over another {@linkplain GatewayTransport transport}: {@code hello} first, then {@code takeDocs},
 * if asked for, and {@code doWork} with a task, for each {@code result}; {@code abort} if the lease
 * is lost meanwhile; {@code success} or {@code dependency} after the commit, if asked for; {@code
 * error} with a class.
 *
 * <p>It works on one task at a time; for more, start more of them. Thread-safe. Close it before the
 * EntroQ.
 */
public final class WorkGateway implements AutoCloseable {
  /** The version of the protocol. */
  public static final int PROTOCOL = 1;

  /** Why it has ended, and the exit status of a process for that. */
  public enum End {
    /** It was closed, or the program has hung up. */
    OK(0),
    /** The queue was not available for too long; starting again may help. */
    TRANSIENT(75),
    /** The program has broken the protocol, or reported a failure that needs somebody. */
    CALLER(78),
    /** The queue was closed. */
    GATEWAY(70);

    private final int status;

    End(int status) {
      this.status = status;
    }

    /** As in {@code sysexits.h}. */
    public int status() {
      return status;
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final GatewayEnding ending;
  private final Worker worker;

  private WorkGateway(Builder config, EntroQ queue, GatewayTransport transport) {
    GatewayRules rules = config.rules();
    GatewayConnection connection = new GatewayConnection(transport);
    ending = new GatewayEnding(connection, config.unavailableMax);
    GatewayCommit commit = new GatewayCommit(rules, connection, ending);
    connection.tell(config.hello());
    connection.start(ending);
    worker =
        Worker.on(GatewayQueue.on(queue, commit::commit, commit::mayClaim))
            .from(config.queues)
            .lease(config.lease)
            .maxAttempts(config.maxAttempts)
            .maxClaims(config.maxClaims)
            .errorQueue(rules::errorQueue)
            .retryBackoff(new Backoff(config.retryDelay, config.retryDelayMax(), 0.2))
            // A task must not wait while the program is told of the commit of another one.
            .claimWithCommit(false)
            .listener(ending)
            .threads(this::thread)
            .start(new GatewayHandler(rules, connection, ending, commit));
  }

  private Thread thread(Runnable loop) {
    return new Thread(
        () -> {
          try {
            loop.run();
          } finally {
            ending.workerEnded();
          }
        },
        "entroq-gateway-worker");
  }

  /** Starts to configure a gateway. */
  public static Builder from(String... queues) {
    return new Builder(List.of(queues));
  }

  /** Whether it works. */
  public boolean isRunning() {
    return !ending.isEnding();
  }

  /**
   * Why it has ended.
   *
   * @return {@link End#OK} while it works
   */
  public End end() {
    return ending.ended().getNow(Ended.NOT_YET).why();
  }

  /** The reason of its end, for people; empty while it works, and if there is nothing to say. */
  public String endReason() {
    return ending.ended().getNow(Ended.NOT_YET).reason();
  }

  /** Completed when it has ended, or was closed. It has to be closed in any case. */
  public CompletableFuture<End> whenEnded() {
    return ending.ended().thenApply(Ended::why);
  }

  /**
   * Stops claiming, and waits up to 30 seconds for the program to finish its task; then releases
   * the task. An interrupt of the caller ends that wait and stays pending.
   */
  @Override
  public void close() {
    ending.close();
    worker.close();
    ending.workerEnded();
  }

  /** Configures a gateway. Not thread-safe. */
  public static final class Builder {
    private final List<String> queues;
    private Duration lease = Claim.DEFAULT_LEASE;
    private int maxAttempts;
    private int maxClaims = 20;
    private String errorQueue = GatewayRules.INBOX + "/err";
    private Duration retryDelay = Backoff.forTasks().initial();
    private Duration unavailableMax = Duration.ofSeconds(60);
    private boolean takesDocs;
    private boolean tellsSuccess;
    private boolean tellsDependency;
    private String version = "development";

    private Builder(List<String> queues) {
      this.queues = Claim.from(queues).queues();
    }

    private ObjectNode hello() {
      ObjectNode hello = GatewayConnection.message("hello");
      return hello.put("protocol", PROTOCOL).put("version", version);
    }

    private GatewayRules rules() {
      return new GatewayRules(
          lease, maxAttempts, errorQueue, retryDelay, takesDocs, tellsSuccess, tellsDependency);
    }

    private Duration retryDelayMax() {
      Duration hour = Duration.ofHours(1);
      return retryDelay.compareTo(hour) > 0 ? retryDelay : hour;
    }

    /** Length of a lease: 1 ms to 24 hours, default 45 s. */
    public Builder lease(Duration newLease) {
      Limits.time("lease", newLease, Duration.ofDays(1));
      lease = newLease;
      return this;
    }

    /** After how many failures a task is moved to the error queue. Default 0, for never. */
    public Builder maxAttempts(int failures) {
      Limits.count("maxAttempts", failures, 0, Integer.MAX_VALUE);
      maxAttempts = failures;
      return this;
    }

    /** As that of a worker, for tasks that end their gateway. Default 20; 0 for never. */
    public Builder maxClaims(int claims) {
      Limits.count("maxClaims", claims, 0, Integer.MAX_VALUE);
      maxClaims = claims;
      return this;
    }

    /**
     * The error queue; {@code {inbox}} stands for the task's queue. Default {@code {inbox}/err}.
     */
    public Builder errorQueue(String template) {
      Objects.requireNonNull(TaskQuery.in(template));
      errorQueue = template;
      return this;
    }

    /** Delay before a retry, if the program names none: it doubles up to an hour. Default 30 s. */
    public Builder retryDelay(Duration delay) {
      Limits.time("retryDelay", delay, Duration.ofDays(366));
      retryDelay = delay;
      return this;
    }

    /**
     * For how long the queue may be unavailable before it gives up. Default 60 s. It counts from
     * the first failure, and a claim fails only after the time that the client gives a call.
     */
    public Builder unavailableMax(Duration time) {
      Limits.time("unavailableMax", time, Duration.ofDays(366));
      unavailableMax = time;
      return this;
    }

    /**
     * Whether to ask the program which docs a task needs, and to claim them: {@code takeDocs}.
     * Default false.
     */
    public Builder takeDocs(boolean yes) {
      takesDocs = yes;
      return this;
    }

    /**
     * Whether to tell the program after each commit of a result: {@code success}. Default false.
     */
    public Builder tellSuccess(boolean yes) {
      tellsSuccess = yes;
      return this;
    }

    /**
     * Whether to tell the program of each commit that did not match: {@code dependency}. Default
     * false.
     */
    public Builder tellDependency(boolean yes) {
      tellsDependency = yes;
      return this;
    }

    /** The release that it names in its hello, for people. */
    public Builder version(String release) {
      version = Objects.requireNonNull(release, "release");
      return this;
    }

    /**
     * Starts a gateway whose messages are lines of two streams. Reads on a thread of its own.
     *
     * @param in what the program writes
     * @param out what the program reads
     * @throws EntroQException.InvalidArgument if there is no queue, or a name is invalid
     */
    public WorkGateway start(EntroQ queue, InputStream in, OutputStream out) {
      return start(queue, new LineTransport(in, out));
    }

    /**
     * Starts a gateway.
     *
     * @param transport to and from the program
     */
    public WorkGateway start(EntroQ queue, GatewayTransport transport) {
      return new WorkGateway(this, queue, transport);
    }

    /**
     * Tells a program that what it asked for is not possible, in place of a start: it gets the
     * hello and an error.
     */
    public void refuse(GatewayTransport transport, String reason) {
      GatewayConnection connection = new GatewayConnection(transport);
      connection.tell(hello());
      connection.tell(GatewayEnding.error(End.CALLER, reason));
    }
  }
}
