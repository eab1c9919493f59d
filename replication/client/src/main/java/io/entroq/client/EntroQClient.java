package io.entroq.client;

import com.google.protobuf.Message;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.NamespaceStats;
import io.entroq.api.Policies;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.feed.FeedCursor;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.FeedRange;
import io.entroq.api.feed.FeedSource;
import io.entroq.client.translation.FailureMapping;
import io.entroq.client.translation.WireDocs;
import io.entroq.client.translation.WireFeed;
import io.entroq.client.translation.WirePolicies;
import io.entroq.client.translation.WireRequests;
import io.entroq.client.translation.WireTasks;
import io.entroq.client.transport.Channels;
import io.entroq.client.transport.FailedException;
import io.entroq.client.transport.FailoverMonitor;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.SameLogTransport;
import io.entroq.client.transport.ServerFeatures;
import io.entroq.client.transport.StreamTransport;
import io.entroq.client.transport.Transport;
import io.entroq.client.transport.UnaryTransport;
import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.Times;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.RangeRequest;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A task queue on a server.
 *
 * <pre>{@code
 * try (EntroQ queue = EntroQClient.connect("localhost:37706")) {
 *   queue.modify(Modification.insert("inbox", "hello")).orThrow();
 * }
 * }</pre>
 *
 * <p>Requests are retried until they are answered or the time of the {@link ClientConfig} is up.
 * EntroQ for the JVM applies a repeated request once and repeats the answer, so a lost connection
 * or a restart leaves no doubt. Other servers do not, so modifications are not retried there; if a
 * reply is lost, the outcome is {@link ModifyResult.OutcomeUnknown}.
 *
 * <p>Thread-safe. Futures complete on connection threads: dependent stages without an executor must
 * be quick and must not wait for this queue.
 */
public final class EntroQClient implements EntroQ, FeedSource {
  /** How often a claim that does not wait is repeated if its tasks were lost. */
  private static final int LOST_MAX = 10;

  private final Dispatcher dispatcher;
  private final long claimIntervalMs;
  private final int requestBytesMax;
  private final boolean isOfThePast;
  private final String claimant;
  private final ServerClock clock;
  private final ServerFeatures features;
  private final WireRequests requests;
  private final CurrentWindow windows;
  private final ClaimIdentities identities = new ClaimIdentities();
  private final AtomicBoolean isRefreshing = new AtomicBoolean();

  /** These become true when the level of the server's log is raised. */
  private volatile boolean hasPolicies;

  private volatile boolean hasPools;

  private EntroQClient(
      ClientConfig config, Dispatcher dispatcher, ServerClock clock, ServerFeatures features) {
    this.dispatcher = dispatcher;
    this.clock = clock;
    this.features = features;
    hasPolicies = features.hasPolicies();
    hasPools = features.hasPools();
    windows = new CurrentWindow(dispatcher::schedule);
    claimIntervalMs = config.claimInterval().toMillis();
    requestBytesMax = config.requestBytesMax();
    isOfThePast = config.asOf().isPresent();
    claimant = config.claimant().isEmpty() ? Ids.randomV1().v1Text() : config.claimant();
    requests = new WireRequests(claimant, features, clock::nowMs);
  }

  /**
   * Connects to a server or to a cluster.
   *
   * @param address {@code host:port}, or several members separated by commas; the default port is
   *     37706
   * @throws EntroQException.InvalidArgument if the address is malformed
   * @throws EntroQException.Unavailable if no server answers
   */
  public static EntroQClient connect(String address) {
    return connect(ClientConfig.to(address).build());
  }

  /**
   * Connects to a server or to a cluster, and reads its features.
   *
   * @throws EntroQException.InvalidArgument if a key or certificate file cannot be read
   * @throws EntroQException.Unavailable if no server answers in time
   * @throws EntroQException.PermissionDenied if the server rejects the client
   */
  public static EntroQClient connect(ClientConfig config) {
    UnaryTransport calls =
        new UnaryTransport(channels(config), config.authorization(), config.asOf());
    Dispatcher dispatcher = new Dispatcher(calls, config.backoff(), config.callTimeout());
    try {
      return config.channels().addresses().size() == 1
          ? begin(config, dispatcher, time -> sameLog(best(config, calls, time), calls, time))
          : beginWithAny(config, dispatcher, calls);
    } catch (EntroQException.Unavailable e) {
      throw new EntroQException.Unavailable(
          "no answer from " + config.channels().addressText() + ": " + e.getMessage(), e);
    }
  }

  private static Transport best(ClientConfig config, UnaryTransport calls, TimeResponse time) {
    // A stream carries only what writes.
    return config.isStreaming() && config.asOf().isEmpty() && features(time).hasStream()
        ? new StreamTransport(calls)
        : calls;
  }

  /** Servers that do not tell the id of their log are trusted to keep it. */
  private static Transport sameLog(Transport transport, UnaryTransport calls, TimeResponse time) {
    return time.getLogId().isEmpty()
        ? transport
        : new SameLogTransport(transport, calls, time.getLogId());
  }

  /** Uses the first of several servers that answers, and fails over later. */
  private static EntroQClient beginWithAny(
      ClientConfig config, Dispatcher dispatcher, UnaryTransport calls) {
    try {
      FailoverMonitor monitor =
          calls.startFailoverMonitor(config.silence(), config.backoff(), dispatcher);
      monitor.awaitFirst(config.connectTimeout());
      return begin(
          config,
          dispatcher,
          time -> {
            monitor.require(features(time).required(), time.getLogId());
            return best(config, calls, time);
          });
    } catch (FailedException e) {
      dispatcher.close();
      throw FailureMapping.ofRead(e.failure());
    }
  }

  /** A client over a given transport, which it closes. For tests. */
  static EntroQClient over(ClientConfig config, Transport transport) {
    Dispatcher dispatcher = new Dispatcher(transport, config.backoff(), config.callTimeout());
    return begin(config, dispatcher, time -> transport);
  }

  /**
   * @param best the transport for a server that has answered like this
   */
  private static EntroQClient begin(
      ClientConfig config, Dispatcher dispatcher, Function<TimeResponse, Transport> best) {
    try {
      ServerClock clock = new ServerClock(config.nanoClock());
      TimeResponse time = await(time(dispatcher, clock, config.connectTimeout().toMillis()));
      dispatcher.switchTransport(best.apply(time));
      return new EntroQClient(config, dispatcher, clock, features(time));
    } catch (Throwable t) {
      dispatcher.close();
      throw t;
    }
  }

  private static ServerFeatures features(TimeResponse time) {
    return new ServerFeatures(time.getFeatures());
  }

  private static Channels channels(ClientConfig config) {
    try {
      return Channels.open(config.channels());
    } catch (IOException | IllegalArgumentException e) {
      throw new EntroQException.InvalidArgument("keys or certificates: " + e.getMessage(), e);
    }
  }

  private static CompletableFuture<TimeResponse> time(
      Dispatcher dispatcher, ServerClock clock, long timeoutMs) {
    long startNs = clock.startSample();
    FutureCompletion<TimeResponse, TimeResponse> completion =
        FutureCompletion.read(
            time -> {
              clock.sample(startNs, time.getTimeMs());
              return time;
            });
    TimeRequest request = TimeRequest.getDefaultInstance();
    new PendingCall<>(
            dispatcher, Method.TIME, () -> request, RetryPolicy.ANY_TIME, timeoutMs, completion)
        .start();
    return completion.future();
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  @Override
  public String claimant() {
    return claimant;
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    if (claim.maxWait().isZero()) {
      return tryClaimAsync(claim);
    }
    ClaimRequest.Builder terms = requests.claim(claim);
    if (!claim.waitsForever() && features.hasClaimDeadline()) {
      long waitMs = Math.max(1, Times.toMs(claim.maxWait()));
      terms.setDeadlineMs(Times.plusSaturating(serverMs(), waitMs));
    }
    return new WaitingClaim(dispatcher, identities, features, claim, terms.build(), claimIntervalMs)
        .start();
  }

  @Override
  public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
    return claim(
        Method.TRY_CLAIM,
        requests.claim(claim).build(),
        RequestIdentity::claim,
        WireTasks::claimed,
        (failure, maybeDone) -> {
          throw FailureMapping.exception(failure, maybeDone);
        },
        LOST_MAX);
  }

  /**
   * Claims tasks or docs without waiting. The claim is repeated under a new number if its result
   * was lost. Without identity that is safe too: the leases of lost tasks end by themselves, and
   * the holder of docs may claim them again.
   */
  private <Q extends Message, A extends Message, T> CompletableFuture<T> claim(
      Method<Q, A> method,
      Q request,
      IdempotentWrite.IdentitySetter<Q> identitySetter,
      Function<A, T> claimed,
      FutureCompletion.FailureMapper<T> refused,
      int repeats) {
    FutureCompletion<A, Optional<T>> completion =
        FutureCompletion.write(
            response -> Optional.of(claimed.apply(response)),
            (failure, maybeDone) ->
                FailureMapping.isLost(failure) && repeats > 0
                    ? Optional.empty()
                    : Optional.of(refused.result(failure, maybeDone)));
    write(method, request, identitySetter, RetryPolicy.AFTER_FAILURE, completion);
    return completion
        .future()
        .thenCompose(
            result ->
                result.isPresent()
                    ? CompletableFuture.completedFuture(result.get())
                    : claim(method, request, identitySetter, claimed, refused, repeats - 1));
  }

  @Override
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    refreshClock();
    return modification.needsPolicies()
        ? withPolicies(() -> send(modification))
        : send(modification);
  }

  /**
   * Makes a call that needs policies. Asks first whether a server that had none has them now:
   * somebody may have raised its level.
   */
  private <T> CompletableFuture<T> withPolicies(Supplier<CompletableFuture<T>> call) {
    return hasPolicies ? call.get() : timeAsync().thenCompose(time -> call.get());
  }

  private CompletableFuture<ModifyResult> send(Modification modification) {
    ModifyRequest request;
    try {
      if (!hasPolicies) {
        modification.refuseIfItNeedsPolicies();
      }
      request = requests.modify(modification).build();
      checkLength(request);
    } catch (EntroQException.InvalidArgument e) {
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<ModifyResult> result = modify(modification, request);
    return modification.thenClaim().isEmpty() || features.hasThenClaim()
        ? result
        : result.thenCompose(done -> thenClaim(modification, done));
  }

  /** A server resets a longer request without a reason. */
  private void checkLength(ModifyRequest request) {
    if (request.getSerializedSize() > requestBytesMax) {
      throw new EntroQException.InvalidArgument(
          "the modification has %,d bytes, more than requestBytesMax, %,d"
              .formatted(request.getSerializedSize(), requestBytesMax));
    }
  }

  private CompletableFuture<ModifyResult> modify(Modification modification, ModifyRequest request) {
    FutureCompletion<ModifyResponse, ModifyResult> completion =
        FutureCompletion.write(
            WireTasks::committed,
            (failure, maybeDone) -> refused(modification, failure, maybeDone));
    write(Method.MODIFY, request, RequestIdentity::modify, RetryPolicy.IF_UNSENT, completion);
    return completion.future();
  }

  private static ModifyResult refused(
      Modification modification, Failure failure, boolean maybeDone) {
    if (FailureMapping.isDependency(failure)) {
      return FailureMapping.withQueues(FailureMapping.dependencies(failure), modification);
    }
    EntroQException exception = FailureMapping.exception(failure, maybeDone);
    if (exception instanceof EntroQException.OutcomeUnknown) {
      return new ModifyResult.OutcomeUnknown(exception.getMessage());
    }
    throw exception;
  }

  /** For servers without then-claims: a separate request. */
  private CompletableFuture<ModifyResult> thenClaim(Modification modification, ModifyResult done) {
    if (!(done instanceof ModifyResult.Committed committed)) {
      return CompletableFuture.completedFuture(done);
    }
    Claim claim = modification.thenClaim().orElseThrow().withClaimant(modification.claimant());
    return tryClaimAsync(claim)
        .thenApply(
            tasks ->
                new ModifyResult.Committed(
                    committed.inserted(),
                    committed.changed(),
                    tasks,
                    committed.insertedDocs(),
                    committed.changedDocs(),
                    committed.changedSets(),
                    committed.failed(),
                    committed.policies()));
  }

  @Override
  public CompletableFuture<List<Task>> tasksAsync(TaskQuery query) {
    return isEmpty(query)
        ? CompletableFuture.completedFuture(List.of())
        : read(
            Method.TASKS, requests.tasks(query), response -> WireTasks.of(response.getTasksList()));
  }

  @Override
  public void forEachTask(TaskQuery query, Consumer<? super Task> consumer) {
    if (dispatcher.isClosed()) {
      throw Dispatcher.closed();
    }
    if (isEmpty(query)) {
      return;
    }
    new TaskListing(dispatcher, requests.tasks(query)).forEach(consumer);
  }

  /** A request for no ids would list all tasks. */
  private static boolean isEmpty(TaskQuery query) {
    return query.ids().isEmpty() && query.queue().isEmpty();
  }

  @Override
  public CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query) {
    return read(Method.QUEUES, requests.queues(query), WireTasks::sizes);
  }

  @Override
  public CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query) {
    return read(Method.QUEUE_STATS, requests.queues(query), WireTasks::stats);
  }

  @Override
  public CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
    return claim(
        Method.CLAIM_DOCS,
        requests.claimDocs(claim),
        RequestIdentity::claimDocs,
        response ->
            new DocClaimResult.Claimed(
                WireDocs.of(response.getDocsList()), WireDocs.sets(response.getSetsList())),
        (failure, maybeDone) -> {
          if (FailureMapping.isDependency(failure)) {
            return notClaimed(claim, FailureMapping.dependencies(failure));
          }
          throw FailureMapping.exception(failure, maybeDone);
        },
        LOST_MAX);
  }

  private static DocClaimResult notClaimed(DocClaim claim, ModifyResult.DependencyFailure failure) {
    return claim.task().isPresent() && !failure.depends().isEmpty()
        ? new DocClaimResult.TaskLost(claim.task().get())
        : new DocClaimResult.Held(failure.docs().setClaims(), failure.docs().claims());
  }

  @Override
  public CompletableFuture<List<Doc>> docsAsync(DocQuery query) {
    return read(Method.DOCS, requests.docs(query), response -> WireDocs.of(response.getDocsList()));
  }

  @Override
  public CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query) {
    return read(Method.NAMESPACE_STATS, requests.namespaces(query), WireTasks::namespaces);
  }

  @Override
  public CompletableFuture<Instant> timeAsync() {
    if (isOfThePast) {
      return read(
          Method.TIME_OF_STATE,
          TimeRequest.getDefaultInstance(),
          time -> Instant.ofEpochMilli(time.getTimeMs()));
    }
    return time(dispatcher, clock, dispatcher.callTimeoutMs())
        .thenApply(
            time -> {
              hasPolicies |= features(time).hasPolicies();
              hasPools |= features(time).hasPools();
              return Instant.ofEpochMilli(time.getTimeMs());
            });
  }

  @Override
  public boolean hasPolicies() {
    return hasPolicies;
  }

  @Override
  public boolean hasPools() {
    return hasPools;
  }

  @Override
  public CompletableFuture<List<Policies.Entry>> policyEntriesAsync(Policies.Query query) {
    return withPolicies(
        () ->
            hasPolicies
                ? read(
                    Method.LIST_POLICIES,
                    requests.policies(query),
                    response ->
                        response.getPoliciesList().stream().map(WirePolicies::entry).toList())
                : EntroQ.super.policyEntriesAsync(query));
  }

  @Override
  public CompletableFuture<Optional<Task.Position>> positionAsync(TaskId task) {
    return withPolicies(
        () ->
            hasPolicies
                ? read(Method.POSITION, WireRequests.position(task), WireTasks::position)
                : EntroQ.super.positionAsync(task));
  }

  /**
   * {@inheritDoc} It resumes by itself after a lost connection, at another member if need be, until
   * it is closed.
   */
  @Override
  public FeedCursor openFeed(FeedQuery query) {
    if (dispatcher.isClosed()) {
      throw Dispatcher.closed();
    }
    return new FeedCall(dispatcher, query).start();
  }

  /** {@inheritDoc} Of the server that is in use. */
  @Override
  public FeedRange feedRange() {
    return await(read(Method.RANGE, RangeRequest.getDefaultInstance(), WireFeed::range));
  }

  private <Q extends Message, A extends Message, T> CompletableFuture<T> read(
      Method<Q, A> method, Q request, Function<A, T> answers) {
    FutureCompletion<A, T> completion = FutureCompletion.read(answers);
    call(method, request, RetryPolicy.ANY_TIME, completion);
    return completion.future();
  }

  /**
   * Sends a write with a request identity if the server supports them, so that it takes effect
   * once.
   *
   * @param withoutIdentity retry policy for other servers
   */
  private <Q extends Message, A extends Message> void write(
      Method<Q, A> method,
      Q request,
      IdempotentWrite.IdentitySetter<Q> identitySetter,
      RetryPolicy withoutIdentity,
      PendingCall.Completion<A> completion) {
    if (features.hasIdentity()) {
      new IdempotentWrite<>(dispatcher, windows, method, request, identitySetter, completion)
          .start();
    } else {
      call(method, request, withoutIdentity, completion);
    }
  }

  private <Q extends Message, A extends Message> void call(
      Method<Q, A> method,
      Q request,
      RetryPolicy retryPolicy,
      PendingCall.Completion<A> completion) {
    new PendingCall<>(
            dispatcher, method, () -> request, retryPolicy, dispatcher.callTimeoutMs(), completion)
        .start();
  }

  /** The server's time. */
  private long serverMs() {
    refreshClock();
    return clock.nowMs();
  }

  /** Samples the server's clock in the background if the last sample is old. */
  private void refreshClock() {
    if (clock.isStale() && isRefreshing.compareAndSet(false, true)) {
      CompletableFuture<Instant> unused =
          timeAsync().whenComplete((time, failure) -> isRefreshing.set(false));
    }
  }

  /**
   * Fails open requests with {@link EntroQException.Closed}, cancels waiting claims at the server,
   * and closes the connections.
   */
  @Override
  public void close() {
    dispatcher.close();
  }
}
