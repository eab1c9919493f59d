package io.entroq.engine.local;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocInsert;
import io.entroq.api.DocModification;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
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
import io.entroq.api.Value;
import io.entroq.api.spi.TimeLimitedQueue;
import io.entroq.codec.wire.InvalidValueException;
import io.entroq.codec.wire.Values;
import io.entroq.engine.call.ApiRequest;
import io.entroq.engine.call.ClaimDocsRequest;
import io.entroq.engine.call.ClaimRequest;
import io.entroq.engine.call.DocsRequest;
import io.entroq.engine.call.ModifyRequest;
import io.entroq.engine.call.NamespacesRequest;
import io.entroq.engine.call.PoliciesRequest;
import io.entroq.engine.call.PositionRequest;
import io.entroq.engine.call.QueuesRequest;
import io.entroq.engine.call.RequestFailures;
import io.entroq.engine.call.TaskIdGenerator;
import io.entroq.engine.call.TasksRequest;
import io.entroq.engine.call.TimeRequest;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.GatewayLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The API over an engine in this process, embedded or replicated. Any thread. At the limits of the
 * configuration calls wait for room, including those that return futures, and are then refused with
 * {@link EntroQException.ResourceExhausted}.
 *
 * <p>Futures complete on a thread of the engine that does nothing else. Code chained to them
 * without an executor delays other futures while it runs, and nothing else. A request made on that
 * thread is refused at once where others wait for room.
 */
public abstract class LocalEntroQ implements EntroQ {
  private final Entrance entrance;
  private final CallInvoker caller;
  private final WaitingClaimInvoker waitingCaller;
  private final LocalGateway gateway;
  private final TaskIdGenerator ids;
  private final String claimant;
  private final int valueBytesMax;
  private final GatewayLimits limits;
  private final int listingBytesMax;

  protected LocalEntroQ(CallerBounds bounds, Entrance entrance, RandomGenerator random) {
    this.entrance = entrance;
    limits = bounds.limits();
    ids = new TaskIdGenerator(random);
    claimant = "%016x".formatted(random.nextLong() | 1);
    valueBytesMax = limits.valueBytesMax();
    listingBytesMax = bounds.listingBytesMax();
    RequestFailures failures = new RequestFailures(entrance.state());
    caller = new CallInvoker(failures, entrance.submitter());
    waitingCaller = waitingCaller(entrance.submitter());
    gateway = new LocalGateway(entrance, failures, limits);
  }

  /** The same queue, whose callers wait no longer for room than a time. */
  private LocalEntroQ(LocalEntroQ other, Duration roomTimeout) {
    entrance = other.entrance;
    limits = other.limits;
    ids = other.ids;
    claimant = other.claimant;
    valueBytesMax = other.valueBytesMax;
    listingBytesMax = other.listingBytesMax;
    Submitter submitter = entrance.submitter().withRoomTimeout(roomTimeout);
    caller = new CallInvoker(new RequestFailures(entrance.state()), submitter);
    waitingCaller = waitingCaller(submitter);
    gateway = other.gateway;
  }

  private WaitingClaimInvoker waitingCaller(Submitter submitter) {
    return new WaitingClaimInvoker(caller, submitter, entrance.lanes(), entrance.clock(), claimant);
  }

  @Override
  public EntroQ withTimeout(Duration timeout) {
    return new TimeLimitedQueue(new Impatient(this, timeout), timeout);
  }

  @Override
  public String claimant() {
    return claimant;
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    return claim.maxWait().isZero() ? tryClaimAsync(claim) : waitingCaller.claimAsync(claim);
  }

  @Override
  public List<Task> claimMany(Claim claim) throws InterruptedException {
    return claim.maxWait().isZero() ? tryClaimMany(claim) : waitingCaller.claim(claim);
  }

  @Override
  public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
    return caller.callAsync(new ClaimRequest(claim, claimant, 0));
  }

  @Override
  public List<Task> tryClaimMany(Claim claim) {
    return caller.call(new ClaimRequest(claim, claimant, 0));
  }

  @Override
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    try {
      return caller.callAsync(request(modification));
    } catch (EntroQException.InvalidArgument e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public ModifyResult modify(Modification modification) {
    return caller.call(request(modification));
  }

  @Override
  public CompletableFuture<List<Task>> tasksAsync(TaskQuery query) {
    return TasksRequest.isEmpty(query)
        ? CompletableFuture.completedFuture(List.of())
        : caller.callAsync(TasksRequest.all(query, listingBytesMax));
  }

  @Override
  public List<Task> tasks(TaskQuery query) {
    return TasksRequest.isEmpty(query)
        ? List.of()
        : caller.call(TasksRequest.all(query, listingBytesMax));
  }

  @Override
  public void forEachTask(TaskQuery query, Consumer<? super Task> consumer) {
    if (TasksRequest.isEmpty(query)) {
      return;
    }
    TasksRequest pages = TasksRequest.paged(query);
    do {
      caller.call(pages).forEach(consumer);
    } while (!pages.isComplete());
  }

  @Override
  public CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query) {
    return caller
        .callAsync(new QueuesRequest(query, true, listingBytesMax))
        .thenApply(LocalEntroQ::sizes);
  }

  @Override
  public Map<String, Long> queues(QueueQuery query) {
    return sizes(caller.call(new QueuesRequest(query, true, listingBytesMax)));
  }

  @Override
  public CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query) {
    return caller.callAsync(new QueuesRequest(query, false, listingBytesMax));
  }

  @Override
  public Map<String, QueueStats> queueStats(QueueQuery query) {
    return caller.call(new QueuesRequest(query, false, listingBytesMax));
  }

  @Override
  public CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
    return caller.callAsync(new ClaimDocsRequest(claim, claimant));
  }

  @Override
  public DocClaimResult claimDocs(DocClaim claim) {
    return caller.call(new ClaimDocsRequest(claim, claimant));
  }

  @Override
  public CompletableFuture<List<Doc>> docsAsync(DocQuery query) {
    return caller.callAsync(new DocsRequest(query, listingBytesMax));
  }

  @Override
  public List<Doc> docs(DocQuery query) {
    return caller.call(new DocsRequest(query, listingBytesMax));
  }

  @Override
  public CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query) {
    return caller.callAsync(new NamespacesRequest(query, listingBytesMax));
  }

  @Override
  public Map<String, NamespaceStats> namespaces(NamespaceQuery query) {
    return caller.call(new NamespacesRequest(query, listingBytesMax));
  }

  @Override
  public CompletableFuture<Instant> timeAsync() {
    return caller.callAsync(new TimeRequest());
  }

  @Override
  public Instant time() {
    return caller.call(new TimeRequest());
  }

  @Override
  public boolean hasPolicies() {
    return gateway.hasPolicies();
  }

  @Override
  public boolean hasPools() {
    return gateway.hasPools();
  }

  @Override
  public CompletableFuture<List<Policies.Entry>> policyEntriesAsync(Policies.Query query) {
    return hasPolicies()
        ? caller.callAsync(new PoliciesRequest(query, listingBytesMax))
        : EntroQ.super.policyEntriesAsync(query);
  }

  @Override
  public CompletableFuture<Optional<Task.Position>> positionAsync(TaskId task) {
    return hasPolicies()
        ? caller.callAsync(new PositionRequest(task, listingBytesMax))
        : EntroQ.super.positionAsync(task);
  }

  /** The gateway for a server; nothing in it blocks. It ends with this. */
  public Gateway gateway() {
    return gateway;
  }

  /** Makes a call that only some engines support; blocks until it has ended. */
  protected final <T> T call(ApiRequest<T> request) {
    return caller.call(request);
  }

  /** As {@link #call}, without blocking for the answer. */
  protected final <T> CompletableFuture<T> callAsync(ApiRequest<T> request) {
    return caller.callAsync(request);
  }

  private ModifyRequest request(Modification modification) {
    check(modification);
    List<Insert> inserts = modification.inserts();
    List<TaskId> insertIds = new ArrayList<>(inserts.size());
    for (Insert insert : inserts) {
      insertIds.add(insert.id().isPresent() ? insert.id().get() : ids.next());
    }
    return new ModifyRequest(withDocIds(modification), insertIds, claimant, limits);
  }

  private Modification withDocIds(Modification modification) {
    DocModification docs = modification.docs();
    if (docs.inserts().stream().allMatch(insert -> insert.id().isPresent())) {
      return modification;
    }
    return modification.withDocs(
        docs.withInserts(docs.inserts().stream().map(this::withId).toList()));
  }

  private DocInsert withId(DocInsert insert) {
    return insert.id().isPresent() ? insert : insert.withId(ids.next().text());
  }

  private void check(Modification modification) {
    if (modification.isEmpty()) {
      throw new EntroQException.InvalidArgument("modify: nothing to do");
    }
    for (Change change : modification.changes()) {
      // Before it is logged: in a cluster, older builds could not even read it.
      if (change.mode() == Change.Mode.TAKE_BACK && !gateway.hasTakeBack()) {
        throw new EntroQException.InvalidArgument(ModifyRequest.LEVEL_TOO_LOW);
      }
    }
    check("inserts", modification.inserts(), Insert::value);
    check("changes", modification.changes(), Change::value);
    check("docs.inserts", modification.docs().inserts(), DocInsert::value);
    check("docs.changes", modification.docs().changes(), DocChange::value);
  }

  private <T> void check(String name, List<T> items, Function<T, Value> value) {
    for (int i = 0; i < items.size(); i++) {
      check(name, i, value.apply(items.get(i)));
    }
  }

  private void check(String list, int index, Value value) {
    try {
      Values.checkSize(value.size(), valueBytesMax);
      if (value.kind() == Value.Kind.JSON) {
        Values.check(value.unwrap(), 0, value.size());
      }
    } catch (InvalidValueException e) {
      throw new EntroQException.InvalidArgument(
          list + "[" + index + "].value: " + e.getMessage(), e);
    }
  }

  private static Map<String, Long> sizes(Map<String, QueueStats> queues) {
    Map<String, Long> sizes = new LinkedHashMap<>();
    queues.forEach((name, stats) -> sizes.put(name, stats.tasks()));
    return sizes;
  }

  /** A queue whose callers wait for room no longer than for the answer. */
  private static final class Impatient extends LocalEntroQ {
    private final LocalEntroQ queue;

    Impatient(LocalEntroQ queue, Duration timeout) {
      super(queue, timeout);
      this.queue = queue;
    }

    @Override
    public <T> Optional<T> extension(Class<T> type) {
      return queue.extension(type);
    }

    @Override
    public void close() {
      queue.close();
    }
  }
}
