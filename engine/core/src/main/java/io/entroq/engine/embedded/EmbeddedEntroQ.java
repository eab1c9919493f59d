package io.entroq.engine.embedded;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
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
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.codec.wire.InvalidValueException;
import io.entroq.codec.wire.Values;
import io.entroq.engine.Closing;
import io.entroq.engine.figures.EngineFigures;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.GatewayLimits;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A task queue in this process: an engine with a thread of its own, and its log in a directory.
 *
 * <pre>{@code
 * try (EntroQ queue = EmbeddedEntroQ.open(Path.of("data"))) {
 *   queue.modify(Modification.insert("inbox", "hello")).orThrow();
 * }
 * }</pre>
 *
 * <p>One engine at a time may have a directory. Calls may come from any thread; past the bounds of
 * the {@link EmbeddedConfig} they wait for room, also the forms that return futures, and are then
 * refused with {@link EntroQException.ResourceExhausted}.
 *
 * <p>Futures complete on one thread of the engine's that does nothing else. What is chained to them
 * without an executor holds up other futures while it runs, and nothing besides. A request made on
 * that thread is refused at once where others wait for room.
 *
 * <p>If the log fails the engine stops: whatever was under way ends with an unknown outcome, reads
 * and what had not begun with {@link EntroQException.Unavailable}, and later calls with {@link
 * EntroQException.Closed}, which names the cause.
 */
public class EmbeddedEntroQ implements EntroQ {
  private final EmbeddedEngine engine;
  private final Caller caller;
  private final WaitingCaller waitingCaller;
  private final EmbeddedGateway gateway;
  private final IdSource ids;
  private final String claimant;
  private final int valueBytesMax;
  private final long queueTasksMax;
  private final int listingBytesMax;
  private final Object levelLock = new Object();
  private volatile int level;

  /** Puts threads around what was opened. */
  EmbeddedEntroQ(EmbeddedConfig config, EngineStore store) {
    SecureRandom random = new SecureRandom();
    // Before the engine's thread has the state.
    level = store.core().machine().level();
    engine = new EmbeddedEngine(store, config, random.nextLong() | 1);
    ids = new IdSource(random);
    claimant = "%016x".formatted(random.nextLong() | 1);
    valueBytesMax = config.valueBytesMax();
    queueTasksMax = config.queueTasksMax();
    listingBytesMax = config.listingBytesMax();
    HandOver handOver = engine.handOver();
    Failures failures = new Failures(engine.state());
    caller = new Caller(failures, handOver);
    waitingCaller =
        new WaitingCaller(caller, handOver, engine.lanes(), store.core().clock(), claimant);
    gateway =
        new EmbeddedGateway(
            engine,
            failures,
            new GatewayLimits(valueBytesMax, config.commandBytesMax(), queueTasksMax));
  }

  /**
   * Opens the queue in a directory, which is made if need be, at level {@code OS}.
   *
   * @throws io.entroq.engine.log.LogException if the directory is in use, damaged, or cannot be
   *     read; the message says what to do
   * @throws IllegalStateException if the JVM lacks a flag; the message has the line to add
   */
  public static EmbeddedEntroQ open(Path directory) {
    return open(EmbeddedConfig.in(directory).build());
  }

  /**
   * Opens a queue.
   *
   * @throws io.entroq.engine.log.LogException if the directory is in use, damaged, or cannot be
   *     read; the message says what to do
   * @throws IllegalStateException if the JVM lacks a flag; the message has the line to add
   */
  public static EmbeddedEntroQ open(EmbeddedConfig config) {
    EngineStore store = EngineStore.open(config, EngineSeams.ofThisMachine());
    try {
      return new EmbeddedEntroQ(config, store);
    } catch (Throwable t) {
      // No thread could be had.
      Closing.after(t, () -> store.close(true));
      throw t;
    }
  }

  /** Opens a queue that is gone when it is closed. */
  public static EmbeddedEntroQ inMemory() {
    return open(EmbeddedConfig.inMemory().build());
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
        .thenApply(EmbeddedEntroQ::sizes);
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

  /** The way in for a server, which waits for nothing. It ends with this. */
  public Gateway gateway() {
    return gateway;
  }

  /** The engine in numbers, for metrics. Asks the engine nothing; also when it has ended. */
  public EngineFigures figures() {
    return engine.figures();
  }

  /**
   * The behaviour level of the log: which version of the rules its commands are executed by. A new
   * log begins with the newest one that the build has; one that is older stays at its level until
   * that is raised.
   */
  public int level() {
    return level;
  }

  /**
   * Raises the behaviour level, by a command in the log: from the next command on the rules of the
   * new level hold. There is no way back: builds that do not support it refuse the log from then
   * on. Does nothing if it is the level already.
   *
   * @param to up to {@link io.entroq.engine.state.Levels#MAX}, which says what each has changed
   * @throws EntroQException.InvalidArgument if this build does not support the level, or if it is
   *     below the present one
   * @throws EntroQException.OutcomeUnknown if the engine fails meanwhile
   */
  public void raiseLevel(int to) {
    synchronized (levelLock) {
      LevelRequest request = LevelRequest.to(to, level);
      if (to > level) {
        level = caller.call(request);
      }
    }
  }

  /**
   * Finishes what is under way, ends claims that wait with {@link EntroQException.Closed}, forces
   * and closes the log, and gives the directory free. Every call returns when that is done.
   *
   * @throws IllegalStateException if something could not be closed, with every error attached
   */
  @Override
  public void close() {
    engine.close();
  }

  /** The threads and the state behind this. */
  EmbeddedEngine engine() {
    return engine;
  }

  private ModifyRequest request(Modification modification) {
    check(modification);
    List<TaskId> insertIds = new ArrayList<>(modification.inserts().size());
    for (Insert insert : modification.inserts()) {
      insertIds.add(insert.id().isPresent() ? insert.id().get() : ids.next());
    }
    long nowMs = engine.store().core().clock().estimateMs();
    return new ModifyRequest(withDocIds(modification), insertIds, claimant, nowMs, queueTasksMax);
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
    for (int i = 0; i < modification.inserts().size(); i++) {
      check("inserts", i, modification.inserts().get(i).value());
    }
    for (int i = 0; i < modification.changes().size(); i++) {
      Change change = modification.changes().get(i);
      check("changes", i, change.value());
    }
    DocModification docs = modification.docs();
    for (int i = 0; i < docs.inserts().size(); i++) {
      check("docs.inserts", i, docs.inserts().get(i).value());
    }
    for (int i = 0; i < docs.changes().size(); i++) {
      check("docs.changes", i, docs.changes().get(i).value());
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
}
