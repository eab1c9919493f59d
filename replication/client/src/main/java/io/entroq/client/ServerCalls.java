package io.entroq.client;

import com.google.protobuf.Message;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocQuery;
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
import io.entroq.api.feed.FeedRange;
import io.entroq.client.translation.FailureMapping;
import io.entroq.client.translation.WireDocs;
import io.entroq.client.translation.WireFeed;
import io.entroq.client.translation.WirePolicies;
import io.entroq.client.translation.WireRequests;
import io.entroq.client.translation.WireTasks;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.ServerFeatures;
import io.entroq.codec.wire.Times;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.RangeRequest;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One call of the API to a server that has answered before, with all the requests that it takes.
 * They share its time. Any thread.
 */
final class ServerCalls {
  /** How often a claim that does not wait is repeated if its tasks were lost. */
  private static final int LOST_MAX = 10;

  private final ServerConnection server;
  private final Dispatcher dispatcher;
  private final ServerFeatures features;
  private final WireRequests requests;
  private final long timeoutMs;
  private final boolean endsWaits;
  private final long startNs = System.nanoTime();

  /**
   * @param timeoutMs how long it is retried
   * @param endsWaits whether a claim waits no longer than that, too
   */
  ServerCalls(ServerConnection server, long timeoutMs, boolean endsWaits) {
    this.server = server;
    this.timeoutMs = timeoutMs;
    this.endsWaits = endsWaits;
    dispatcher = server.dispatcher;
    features = server.features;
    requests = server.requests;
  }

  private long leftMs() {
    long passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    return Math.max(1, timeoutMs - passedMs);
  }

  /** The question what a server is and what time it has, for the caller to start. */
  static PendingCall<TimeRequest, TimeResponse> time(
      Dispatcher dispatcher, long timeoutMs, FutureCompletion<TimeResponse, TimeResponse> answer) {
    TimeRequest request = TimeRequest.getDefaultInstance();
    return new PendingCall<>(
        dispatcher, Method.TIME, () -> request, RetryPolicy.ANY_TIME, timeoutMs, answer);
  }

  CompletableFuture<List<Task>> claimAsync(Claim claim) {
    if (claim.maxWait().isZero()) {
      return tryClaimAsync(claim);
    }
    long maxWaitMs = Math.max(1, Times.toMs(claim.maxWait()));
    boolean isCutShort = endsWaits && timeoutMs < maxWaitMs;
    ClaimRequest.Builder terms = requests.claim(claim);
    if ((isCutShort || !claim.waitsForever()) && features.hasClaimDeadline()) {
      long waitMs = isCutShort ? timeoutMs : maxWaitMs;
      terms.setDeadlineMs(Times.plusSaturating(serverMs(), waitMs));
    }
    WaitingClaim waiting =
        new WaitingClaim(
            dispatcher, server.identities, features, claim, terms.build(), server.claimIntervalMs);
    return (isCutShort ? waiting.failAfter(timeoutMs) : waiting).start();
  }

  CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
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

  CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
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
    return server.hasPolicies() ? call.get() : timeAsync().thenCompose(time -> call.get());
  }

  private CompletableFuture<ModifyResult> send(Modification modification) {
    ModifyRequest request;
    try {
      if (!server.hasPolicies()) {
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
    if (request.getSerializedSize() > server.requestBytesMax) {
      throw new EntroQException.InvalidArgument(
          "the modification has %,d bytes, more than requestBytesMax, %,d"
              .formatted(request.getSerializedSize(), server.requestBytesMax));
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

  /**
   * For servers without then-claims: a separate request. If that fails, the modification is done
   * all the same, as it is if there is no task.
   */
  private CompletableFuture<ModifyResult> thenClaim(Modification modification, ModifyResult done) {
    if (!(done instanceof ModifyResult.Committed committed)) {
      return CompletableFuture.completedFuture(done);
    }
    Claim claim = modification.thenClaim().orElseThrow().withClaimant(modification.claimant());
    return tryClaimAsync(claim)
        .exceptionally(failure -> List.of())
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

  CompletableFuture<List<Task>> tasksAsync(TaskQuery query) {
    return isEmpty(query)
        ? CompletableFuture.completedFuture(List.of())
        : read(
            Method.TASKS, requests.tasks(query), response -> WireTasks.of(response.getTasksList()));
  }

  void forEachTask(TaskQuery query, Consumer<? super Task> consumer) {
    if (dispatcher.isClosed()) {
      throw Dispatcher.closed();
    }
    if (isEmpty(query)) {
      return;
    }
    new TaskListing(dispatcher, requests.tasks(query), timeoutMs).forEach(consumer);
  }

  /** A request for no ids would list all tasks. */
  private static boolean isEmpty(TaskQuery query) {
    return query.ids().isEmpty() && query.queue().isEmpty();
  }

  CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query) {
    return read(Method.QUEUES, requests.queues(query), WireTasks::sizes);
  }

  CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query) {
    return read(Method.QUEUE_STATS, requests.queues(query), WireTasks::stats);
  }

  CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
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

  CompletableFuture<List<Doc>> docsAsync(DocQuery query) {
    return read(Method.DOCS, requests.docs(query), response -> WireDocs.of(response.getDocsList()));
  }

  CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query) {
    return read(Method.NAMESPACE_STATS, requests.namespaces(query), WireTasks::namespaces);
  }

  CompletableFuture<Instant> timeAsync() {
    if (server.isOfThePast) {
      return read(
          Method.TIME_OF_STATE,
          TimeRequest.getDefaultInstance(),
          time -> Instant.ofEpochMilli(time.getTimeMs()));
    }
    FutureCompletion<TimeResponse, TimeResponse> answer = server.clock.startSample();
    time(dispatcher, leftMs(), answer).start();
    return answer
        .future()
        .thenApply(
            time -> {
              server.note(new ServerFeatures(time.getFeatures()));
              return Instant.ofEpochMilli(time.getTimeMs());
            });
  }

  /**
   * @param without if there are no policies
   */
  CompletableFuture<List<Policies.Entry>> policyEntriesAsync(
      Policies.Query query, Supplier<CompletableFuture<List<Policies.Entry>>> without) {
    return withPolicies(
        () ->
            server.hasPolicies()
                ? read(
                    Method.LIST_POLICIES,
                    requests.policies(query),
                    response ->
                        response.getPoliciesList().stream().map(WirePolicies::entry).toList())
                : without.get());
  }

  /**
   * @param without if there are no policies
   */
  CompletableFuture<Optional<Task.Position>> positionAsync(
      TaskId task, Supplier<CompletableFuture<Optional<Task.Position>>> without) {
    return withPolicies(
        () ->
            server.hasPolicies()
                ? read(Method.POSITION, WireRequests.position(task), WireTasks::position)
                : without.get());
  }

  /** Of the server that is in use. */
  CompletableFuture<FeedRange> feedRangeAsync() {
    return read(Method.RANGE, RangeRequest.getDefaultInstance(), WireFeed::range);
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
      new IdempotentWrite<>(
              dispatcher, server.windows, method, request, identitySetter, leftMs(), completion)
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
    new PendingCall<>(dispatcher, method, () -> request, retryPolicy, leftMs(), completion).start();
  }

  /** The server's time. */
  private long serverMs() {
    refreshClock();
    return server.clock.nowMs();
  }

  /** Samples the server's clock in the background if the last sample is old. */
  private void refreshClock() {
    if (server.clock.isStale() && server.isRefreshing.compareAndSet(false, true)) {
      CompletableFuture<Instant> unused =
          new ServerCalls(server, dispatcher.callTimeoutMs(), false)
              .timeAsync()
              .whenComplete((time, failure) -> server.isRefreshing.set(false));
    }
  }
}
