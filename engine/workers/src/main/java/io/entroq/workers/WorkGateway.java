package io.entroq.workers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.ModifyResult.DependencyFailure;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.Worker;
import io.entroq.api.worker.WorkerListener;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Lets a program in any language be a worker: claims tasks for it, renews their leases, and
 * commits, retries or quarantines as it says.
 *
 * <p>It speaks protocol 1 of EntroQ's work gateway over two streams, one JSON object a line: {@code
 * hello} first, then {@code takeDocs}, if asked for, and {@code doWork} with a task, for each
 * {@code result}; {@code abort} if the lease is lost meanwhile; {@code success} or {@code
 * dependency} after the commit, if asked for; {@code error} with a class.
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

  /** What the next commit of the worker means. */
  private enum Plan {
    /** What the worker does by itself, such as a retry or a release. */
    WORKER,
    /** What the program asked for. */
    RESULT,
    /** Nothing: the task stays claimed until its lease ends. */
    LEAVE
  }

  private static final System.Logger LOGGER = System.getLogger(WorkGateway.class.getName());
  private static final String INBOX = "{inbox}";

  private final Builder config;
  private final GatewayConnection connection;
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private final Worker worker;

  // Used by the worker's thread alone.
  private Plan plan = Plan.WORKER;

  /** Whether an earlier attempt to commit the program's result may have been applied. */
  private boolean isInDoubt;

  private Task task;

  private volatile boolean isClosing;

  private final Outage outage;

  private WorkGateway(Builder config, EntroQ queue, InputStream in, OutputStream out) {
    this.config = config;
    outage = new Outage(config.unavailableMax);
    connection = new GatewayConnection(in, out);
    ObjectNode hello = message("hello");
    hello.put("protocol", PROTOCOL);
    hello.put("version", config.version);
    connection.tell(hello);
    connection.start(
        () -> end.complete(End.OK),
        () -> fail(End.CALLER, "the program sent a message that nobody asked for"));
    worker =
        Worker.on(new GatewayQueue(queue, this::commit, this::mayClaim))
            .from(config.queues)
            .lease(config.lease)
            .maxAttempts(config.maxAttempts)
            .maxClaims(config.maxClaims)
            .errorQueue(this::errorQueue)
            .retryBackoff(new Backoff(config.retryDelay, config.retryDelayMax(), 0.2))
            // A task must not wait while the program is told of the commit of another one.
            .claimWithCommit(false)
            .listener(new Listener())
            .start(this::work);
  }

  /** Starts to configure a gateway. */
  public static Builder from(String... queues) {
    return new Builder(List.of(queues));
  }

  /** Whether it works. */
  public boolean isRunning() {
    return !end.isDone() && worker.isRunning();
  }

  /**
   * Why it has ended.
   *
   * @return {@link End#OK} while it works
   */
  public End end() {
    // A worker ends by itself only if the queue is closed.
    return end.getNow(worker.isRunning() ? End.OK : End.GATEWAY);
  }

  /**
   * Stops claiming, and waits up to 30 seconds for the program to finish its task; then releases
   * the task.
   */
  @Override
  public void close() {
    End why = end();
    isClosing = true;
    worker.close();
    end.complete(why);
  }

  /** Before each claim: what the worker commits next, with or without its handler, is its own. */
  private boolean mayClaim() {
    plan = Plan.WORKER;
    isInDoubt = false;
    return !end.isDone();
  }

  private String errorQueue(String queue) {
    return config.errorQueue.replace(INBOX, queue);
  }

  private static ObjectNode message(String type) {
    return Json.MAPPER.createObjectNode().put("type", type);
  }

  /** Tells the program why, and ends. */
  private void fail(End why, String reason) {
    if (end.isDone()) {
      return;
    }
    LOGGER.log(System.Logger.Level.WARNING, reason);
    tellError(why, reason);
    end.complete(why);
  }

  private void tellError(End why, String reason) {
    connection.tell(
        message("error").put("class", why.text()).put("message", Results.shorten(reason)));
  }

  private Outcome work(WorkContext<Value> context) throws InterruptedException {
    task = context.task();
    if (end.isDone()) {
      return Outcome.release();
    }
    try {
      ObjectNode request = taskMessage("doWork");
      if (config.takeDocs) {
        Optional<DocClaim> claim = GatewayJson.docClaim(exchange(taskMessage("takeDocs"), "docs"));
        DocClaimResult docs =
            claim
                .map(context::claimDocs)
                .orElseGet(() -> new DocClaimResult.Claimed(List.of(), List.of()));
        if (!(docs instanceof DocClaimResult.Claimed claimed)) {
          // Others hold them, which is no failure of the task.
          return Outcome.modify(
              Modification.change(Change.of(task).availableIn(config.retryDelay)));
        }
        request.set("docs", GatewayJson.docs(claimed.docs()));
        request.set("groups", GatewayJson.groups(claimed));
      }
      return outcome(exchange(request, "result"));
    } catch (ExecutionException e) {
      // It has hung up: the task is available again at once.
      end.complete(End.OK);
      return Outcome.release();
    } catch (EntroQException.InvalidArgument e) {
      return leave(End.CALLER, "the program's answer is malformed: " + e.getMessage());
    }
  }

  private ObjectNode taskMessage(String type) {
    ObjectNode message = message(type);
    message.set("task", GatewayJson.task(task));
    return message;
  }

  /**
   * Asks the program while the lease is renewed.
   *
   * @throws ExecutionException if it has hung up
   * @throws InterruptedException if the lease is lost or the worker closes
   */
  private JsonNode exchange(ObjectNode request, String type)
      throws InterruptedException, ExecutionException {
    CompletableFuture<JsonNode> answer = connection.ask(request);
    try {
      JsonNode message = answer.get();
      requireType(message, type);
      return message;
    } catch (InterruptedException e) {
      if (!end.isDone() && !isClosing) {
        abort(answer);
      }
      throw e;
    }
  }

  /** The lease is lost: the program still has to answer, or the connection would be out of step. */
  private void abort(CompletableFuture<JsonNode> answer) throws InterruptedException {
    connection.tell(message("abort").put("id", task.id().text()).put("version", task.version()));
    try {
      JsonNode unused = answer.get(config.lease.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      fail(End.CALLER, "the program did not answer within a lease of an abort");
    } catch (ExecutionException e) {
      end.complete(End.OK);
    }
  }

  private Outcome outcome(JsonNode result) {
    String message = GatewayJson.text(result, "message");
    String reason = message.isEmpty() ? "the program gave no reason" : message;
    String outcome = GatewayJson.text(result, "outcome");
    switch (outcome) {
      case "ok":
        plan = Plan.RESULT;
        return Outcome.modify(modification(result));
      case "retry":
        return retry(reason, GatewayJson.text(result, "after"), orMove(result));
      case "move":
        return Outcome.moveTo(target(result), reason);
      case "fatal", "error":
        return leave(End.CALLER, "the program reported %s: %s".formatted(outcome, reason));
      default:
        throw new EntroQException.InvalidArgument("outcome '" + outcome + "' is unknown");
    }
  }

  private static void requireType(JsonNode message, String type) {
    String actual = GatewayJson.text(message, "type");
    if (!actual.equals(type)) {
      throw new EntroQException.InvalidArgument(
          "type '%s', not '%s'".formatted(Results.shorten(actual), type));
    }
  }

  private String orMove(JsonNode result) {
    String queue = GatewayJson.text(result, "orMove");
    return queue.isEmpty() ? errorQueue(task.queue()) : TaskQuery.in(queue).queue();
  }

  private String target(JsonNode result) {
    String queue = GatewayJson.text(result, "to");
    return queue.isEmpty() ? errorQueue(task.queue()) : TaskQuery.in(queue).queue();
  }

  private Outcome retry(String reason, String after, String orMove) {
    if (config.maxAttempts > 0 && task.attempt() + 1 >= config.maxAttempts) {
      return Outcome.moveTo(orMove, reason);
    }
    return after.isEmpty() ? Outcome.retry(reason) : Outcome.retry(GoDuration.parse(after), reason);
  }

  /**
   * What to commit. If it does not end the task, it also renews the lease: so it is committed only
   * if the task is still held, and the task is left for that time.
   */
  private Modification modification(JsonNode result) {
    Modification asked = GatewayJson.modification(result.path("modification"), task);
    boolean isDone =
        asked.deletes().stream().anyMatch(ref -> ref.id().equals(task.id()))
            || asked.changes().stream().anyMatch(change -> change.task().id().equals(task.id()));
    if (isDone) {
      return asked;
    }
    // The same Modify cannot depend on the task and end it; to end it depends on it as well.
    Modification rest =
        new Modification(
            asked.inserts(),
            asked.changes(),
            asked.deletes(),
            asked.depends().stream().filter(ref -> !ref.id().equals(task.id())).toList(),
            asked.fails(),
            asked.policies(),
            asked.docs(),
            asked.thenClaim(),
            asked.claimant());
    return rest.and(
        result.path("ack").asBoolean()
            ? Modification.delete(task)
            : Modification.change(Change.renew(task, config.lease)));
  }

  private Outcome leave(End why, String reason) {
    plan = Plan.LEAVE;
    fail(why, reason);
    // Not committed.
    return Outcome.release();
  }

  /** Commits for the worker. */
  private ModifyResult commit(EntroQ queue, Modification modification) {
    switch (plan) {
      case LEAVE:
        return given();
      case RESULT:
        return commitResult(queue, modification);
      default:
        return queue.modify(modification);
    }
  }

  /** What makes the worker let go of the task, without touching it. */
  private DependencyFailure given() {
    return new DependencyFailure(List.of(), List.of(task.ref()), List.of(), List.of(), List.of());
  }

  private ModifyResult commitResult(EntroQ queue, Modification modification) {
    ModifyResult result;
    try {
      result = queue.modify(modification);
    } catch (EntroQException.InvalidArgument | EntroQException.PermissionDenied e) {
      if (e.fullQueue().isPresent()) {
        // The worker retries the task instead.
        plan = Plan.WORKER;
        throw e;
      }
      fail(End.CALLER, "the program's modification was refused: " + e.getMessage());
      return given();
    } catch (EntroQException.ResourceExhausted | EntroQException.Unavailable e) {
      throw e;
    } catch (RuntimeException e) {
      isInDoubt = true;
      throw e;
    }
    isInDoubt |= result instanceof ModifyResult.OutcomeUnknown;
    if (result.isCommitted() && config.success) {
      afterCommit(queue, message("success"), false);
    } else if (result instanceof DependencyFailure failure) {
      boolean mayBeCommitted = isInDoubt && failure.concerns(task.id());
      if (config.dependency && !mayBeCommitted) {
        ObjectNode message = message("dependency");
        message.set("deps", GatewayJson.dependencies(failure));
        afterCommit(queue, message, !failure.concerns(task.id()));
      }
      // Without an answer, its lease is the pause before it is tried again.
      return given();
    }
    return result;
  }

  /**
   * Tells the program what became of its result.
   *
   * @param mayDecide whether it may decide about the task, which is still there
   */
  private void afterCommit(EntroQ queue, ObjectNode message, boolean mayDecide) {
    try {
      JsonNode done = connection.ask(message).get();
      requireType(done, "done");
      String outcome = GatewayJson.text(done, "outcome");
      String reason = GatewayJson.text(done, "message");
      switch (outcome) {
        case "", "ok":
          break;
        case "fatal", "error":
          fail(End.CALLER, "the program reported %s: %s".formatted(outcome, reason));
          break;
        case "retry", "move":
          if (mayDecide) {
            decide(queue, done);
          }
          break;
        default:
          throw new EntroQException.InvalidArgument("outcome '" + outcome + "' is unknown");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      end.complete(End.OK);
    } catch (EntroQException.InvalidArgument e) {
      fail(End.CALLER, "the program's answer is malformed: " + e.getMessage());
    }
  }

  /**
   * After a failed commit: as far as the task is still at its version, which renewals may change.
   */
  private void decide(EntroQ queue, JsonNode done) {
    String reason = GatewayJson.text(done, "message");
    Task newest =
        queue.tasks(TaskQuery.withIds(task.id())).stream()
            .filter(now -> now.claimant().equals(task.claimant()) && now.claims() == task.claims())
            .findFirst()
            .orElse(null);
    if (newest == null) {
      return;
    }
    boolean isLast = config.maxAttempts > 0 && task.attempt() + 1 >= config.maxAttempts;
    boolean moves = GatewayJson.text(done, "outcome").equals("move");
    Change change =
        Change.of(newest)
            .withAttempt(task.attempt() + 1, Results.shorten(reason))
            .resettingClaims();
    String after = GatewayJson.text(done, "after");
    if (moves || isLast) {
      change = change.moveTo(moves ? target(done) : orMove(done));
    } else {
      change = change.availableIn(after.isEmpty() ? config.retryDelay : GoDuration.parse(after));
    }
    ModifyResult unused = queue.modify(Modification.change(change));
  }

  /** Reports what keeps the queue from answering, and gives up after a time. */
  private final class Listener implements WorkerListener {
    private final WorkerListener log = WorkerListener.logging();

    @Override
    public void onClaimed(Task claimed) {
      outage.end();
    }

    @Override
    public void onCommitted(Task committed, Outcome outcome) {
      outage.end();
      log.onCommitted(committed, outcome);
    }

    @Override
    public void onHandlerFailed(Task failed, Throwable failure) {
      log.onHandlerFailed(failed, failure);
    }

    @Override
    public void onOutcomeUnknown(Task unknown, Outcome outcome) {
      log.onOutcomeUnknown(unknown, outcome);
    }

    @Override
    public void onQueueFailed(Throwable failure, Duration pause) {
      log.onQueueFailed(failure, pause);
      String reason = "the queue is not available: " + failure.getMessage();
      if (outage.isTooLong(System.nanoTime())) {
        fail(End.TRANSIENT, reason);
      } else if (!end.isDone()) {
        tellError(End.TRANSIENT, reason);
      }
    }
  }

  /** Configures a gateway. Not thread-safe. */
  public static final class Builder {
    private final List<String> queues;
    private Duration lease = Claim.DEFAULT_LEASE;
    private int maxAttempts;
    private int maxClaims = 20;
    private String errorQueue = INBOX + "/err";
    private Duration retryDelay = Backoff.forTasks().initial();
    private Duration unavailableMax = Duration.ofSeconds(60);
    private boolean takeDocs;
    private boolean success;
    private boolean dependency;
    private String version = "development";

    private Builder(List<String> queues) {
      this.queues = Claim.from(queues).queues();
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

    /** Asks the program which docs a task needs, and claims them: {@code takeDocs}. */
    public Builder takeDocs() {
      takeDocs = true;
      return this;
    }

    /** Tells the program after each commit of a result: {@code success}. */
    public Builder tellSuccess() {
      success = true;
      return this;
    }

    /** Tells the program of each commit that did not match: {@code dependency}. */
    public Builder tellDependency() {
      dependency = true;
      return this;
    }

    /** The release that it names in its hello, for people. */
    public Builder version(String release) {
      version = Objects.requireNonNull(release, "release");
      return this;
    }

    /**
     * Starts a gateway.
     *
     * @param in what the program writes
     * @param out what the program reads
     * @throws EntroQException.InvalidArgument if there is no queue, or a name is invalid
     */
    public WorkGateway start(EntroQ queue, InputStream in, OutputStream out) {
      return new WorkGateway(this, queue, in, out);
    }
  }
}
