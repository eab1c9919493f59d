package io.entroq.api.fake;

import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
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
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.api.spi.TimeLimitedQueue;
import io.entroq.codec.wire.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A queue in memory with a clock that stands until it is moved. */
public final class FakeEntroQ implements EntroQ {
  private static final Duration OLDEST_ARRIVAL = Duration.ofDays(365);

  /** A claim that waits. */
  private record Waiter(Claim claim, long deadlineMs, CompletableFuture<List<Task>> future) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<TaskId, Task> tasks = new LinkedHashMap<>();
  private final FakeDocs docs = new FakeDocs();
  private final List<Waiter> waiters = new ArrayList<>();
  private final Random random = new Random(1);
  private long nowMs = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
  private boolean closed;

  /** What is to be done later; null if all is done at once. */
  private List<Runnable> held;

  private long queueTasksMax;
  private volatile Function<Modification, Optional<CompletableFuture<ModifyResult>>> modifyFault =
      modification -> Optional.empty();
  private volatile Function<Claim, Optional<CompletableFuture<List<Task>>>> claimFault =
      claim -> Optional.empty();
  private volatile Function<Claim, Optional<CompletableFuture<List<Task>>>> tryClaimFault =
      claim -> Optional.empty();

  /** Moves the clock forward: leases end, tasks arrive, waits run out. */
  public void advance(Duration duration) {
    locked(
        () -> {
          nowMs += duration.toMillis();
          return null;
        });
    serve();
  }

  /** Limits the tasks of a queue; 0: any number. */
  public void setQueueTasksMax(long tasks) {
    locked(
        () -> {
          queueTasksMax = tasks;
          return null;
        });
  }

  /** From now on nothing is done and answered. */
  public void hold() {
    locked(() -> held = new ArrayList<>());
  }

  /** Does what was held back, and goes on. */
  public void goOn() {
    List<Runnable> late =
        locked(
            () -> {
              List<Runnable> all = held;
              held = null;
              return all;
            });
    late.forEach(Runnable::run);
    serve();
  }

  /** Answers modifications in place of the queue, where it has an answer. */
  public void setModifyFault(
      Function<Modification, Optional<CompletableFuture<ModifyResult>>> fault) {
    modifyFault = fault;
  }

  /** Answers waiting claims in place of the queue, where it has an answer. */
  public void setClaimFault(Function<Claim, Optional<CompletableFuture<List<Task>>>> fault) {
    claimFault = fault;
  }

  /** The same for claims that do not wait. */
  public void setTryClaimFault(Function<Claim, Optional<CompletableFuture<List<Task>>>> fault) {
    tryClaimFault = fault;
  }

  /** Does a modification whatever the faults say. */
  public ModifyResult modifyInEarnest(Modification modification) {
    ModifyResult result = locked(() -> apply(modification));
    serve();
    return result;
  }

  /** How many claims are waiting. */
  public int waiting() {
    return locked(() -> (int) waiters.stream().filter(w -> !w.future.isDone()).count());
  }

  @Override
  public EntroQ withTimeout(Duration timeout) {
    return new TimeLimitedQueue(this, timeout);
  }

  @Override
  public String claimant() {
    return "fake-claimant";
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    Optional<CompletableFuture<List<Task>>> fault = claimFault.apply(claim);
    if (fault.isPresent()) {
      return fault.get();
    }
    CompletableFuture<List<Task>> future = new CompletableFuture<>();
    try {
      locked(
          () -> {
            checkOpen();
            long deadline = Times.plusSaturating(nowMs, Times.toMs(claim.maxWait()));
            waiters.add(new Waiter(claim, deadline, future));
            return null;
          });
    } catch (EntroQException e) {
      return CompletableFuture.failedFuture(e);
    }
    serve();
    return future;
  }

  @Override
  public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
    return tryClaimFault
        .apply(claim)
        .orElseGet(() -> answer(() -> take(claim, claimant(claim.claimant()))));
  }

  @Override
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    return modifyFault
        .apply(modification)
        .orElseGet(
            () -> {
              CompletableFuture<ModifyResult> result = answer(() -> apply(modification));
              serve();
              return result;
            });
  }

  @Override
  public CompletableFuture<List<Task>> tasksAsync(TaskQuery query) {
    return answer(() -> read(query));
  }

  @Override
  public void forEachTask(TaskQuery query, Consumer<? super Task> consumer) {
    tasks(query).forEach(consumer);
  }

  @Override
  public CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query) {
    return answer(
        () -> {
          Map<String, Long> sizes = new TreeMap<>();
          stats(query).forEach((name, stats) -> sizes.put(name, stats.tasks()));
          return sizes;
        });
  }

  @Override
  public CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query) {
    return answer(() -> stats(query));
  }

  @Override
  public CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
    return answer(
        () -> {
          Instant until =
              claim.task().isPresent()
                  ? endOfLease(claim.task().get())
                  : Instant.ofEpochMilli(Times.plusSaturating(nowMs, claim.leaseMs()));
          return claim.task().isPresent() && !until.isAfter(now())
              ? new DocClaimResult.TaskLost(claim.task().get())
              : docs.claim(claim, claimant(claim.claimant()), until, now());
        });
  }

  /** The present if the task is not there. */
  private Instant endOfLease(TaskRef ref) {
    return fits(ref) ? tasks.get(ref.id()).arrivalTime() : now();
  }

  @Override
  public CompletableFuture<List<Doc>> docsAsync(DocQuery query) {
    return answer(() -> docs.read(query));
  }

  @Override
  public CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query) {
    return answer(() -> docs.stats(query, now()));
  }

  @Override
  public CompletableFuture<Instant> timeAsync() {
    return answer(this::now);
  }

  @Override
  public void close() {
    List<Waiter> ended =
        locked(
            () -> {
              closed = true;
              List<Waiter> all = List.copyOf(waiters);
              waiters.clear();
              return all;
            });
    for (Waiter waiter : ended) {
      waiter.future.completeExceptionally(new EntroQException.Closed("the queue is closed"));
    }
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  private <T> CompletableFuture<T> answer(Supplier<T> action) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    boolean isHeld = locked(() -> held != null && held.add(() -> answer(action, answer)));
    if (!isHeld) {
      answer(action, answer);
    }
    return answer;
  }

  private <T> void answer(Supplier<T> action, CompletableFuture<T> answer) {
    try {
      answer.complete(
          locked(
              () -> {
                checkOpen();
                return action.get();
              }));
    } catch (EntroQException e) {
      answer.completeExceptionally(e);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new EntroQException.Closed("the queue is closed");
    }
  }

  private Instant now() {
    return Instant.ofEpochMilli(nowMs);
  }

  private String claimant(String named) {
    return named.isEmpty() ? claimant() : named;
  }

  /** Gives the waiters what there is, the oldest first, and ends those whose time is up. */
  private void serve() {
    Map<Waiter, List<Task>> served = new LinkedHashMap<>();
    locked(
        () -> {
          if (held != null) {
            return null;
          }
          waiters.removeIf(waiter -> waiter.future.isDone());
          for (Waiter waiter : List.copyOf(waiters)) {
            List<Task> taken = take(waiter.claim, claimant(waiter.claim.claimant()));
            if (!taken.isEmpty() || waiter.deadlineMs <= nowMs) {
              served.put(waiter, taken);
              waiters.remove(waiter);
            }
          }
          return null;
        });
    served.forEach(this::deliver);
  }

  private void deliver(Waiter waiter, List<Task> taken) {
    if (waiter.future.complete(taken) || taken.isEmpty()) {
      return;
    }
    locked(
        () -> {
          taken.forEach(this::giveBack);
          return null;
        });
    serve();
  }

  private void giveBack(Task task) {
    tasks.computeIfPresent(
        task.id(),
        (id, now) ->
            now.version() == task.version() ? copy(now, now(), "", now.claims() - 1) : now);
  }

  private List<Task> take(Claim claim, String claimant) {
    List<Task> taken = new ArrayList<>();
    while (taken.size() < claim.limit()) {
      Optional<Task> task = choose(claim.queues());
      if (task.isEmpty()) {
        break;
      }
      Task old = task.get();
      Instant until = Instant.ofEpochMilli(Times.plusSaturating(nowMs, claim.leaseMs()));
      Task held = copy(old, until, claimant, old.claims() + 1);
      tasks.put(held.id(), held);
      taken.add(held);
      if (claim.leaseMs() == 0) {
        break;
      }
    }
    return taken;
  }

  private Optional<Task> choose(List<String> queues) {
    Map<String, List<Task>> available =
        tasks.values().stream()
            .filter(task -> queues.contains(task.queue()) && task.isAvailableAt(now()))
            .collect(Collectors.groupingBy(Task::queue, TreeMap::new, Collectors.toList()));
    return pick(List.copyOf(available.values())).flatMap(this::pick);
  }

  private <T> Optional<T> pick(List<T> items) {
    return items.isEmpty()
        ? Optional.empty()
        : Optional.of(items.get(random.nextInt(items.size())));
  }

  private Task copy(Task old, Instant arrival, String claimant, int claims) {
    return new Task(
        old.id(),
        old.version() + 1,
        old.queue(),
        arrival,
        claimant,
        old.value(),
        old.created(),
        now(),
        claims,
        old.attempt(),
        old.err());
  }

  private ModifyResult apply(Modification modification) {
    checkOpen();
    modification.refuseIfItNeedsPolicies();
    if (modification.isEmpty()) {
      throw new EntroQException.InvalidArgument("modify: nothing to do");
    }
    refuseDuplicates(modification);
    docs.refuseDuplicates(modification.docs());
    String claimant = claimant(modification.claimant());
    ModifyResult.DependencyFailure failure = check(modification, claimant);
    if (failure.hasMissing() || failure.hasClaims() || failure.hasCollisions()) {
      return failure;
    }
    refuseFull(modification);
    List<Task> inserted =
        modification.inserts().stream().map(insert -> insert(insert, claimant)).toList();
    List<Task> changed =
        modification.changes().stream().map(change -> change(change, claimant)).toList();
    modification.deletes().forEach(ref -> tasks.remove(ref.id()));
    FakeDocs.Written written = docs.write(modification.docs(), this::resolve, claimant, now());
    List<Task> claimed =
        modification.thenClaim().map(claim -> take(claim, claimant)).orElse(List.of());
    return new ModifyResult.Committed(
        inserted, changed, claimed, written.inserted(), written.changed(), written.sets());
  }

  private void refuseFull(Modification modification) {
    Map<String, Integer> growth = new LinkedHashMap<>();
    modification.inserts().forEach(insert -> growth.merge(insert.queue(), 1, Integer::sum));
    for (Change change : modification.changes()) {
      growth.merge(change.queue(), 1, Integer::sum);
      growth.merge(tasks.get(change.task().id()).queue(), -1, Integer::sum);
    }
    for (TaskRef ref : modification.deletes()) {
      growth.merge(tasks.get(ref.id()).queue(), -1, Integer::sum);
    }
    growth.keySet().removeIf(queue -> !isTooMuch(queue, growth.get(queue)));
    growth.keySet().forEach(queue -> refuseWhatNeverFits(modification, queue));
    growth.keySet().forEach(this::refuseFull);
  }

  private boolean isTooMuch(String queue, int by) {
    return queueTasksMax > 0 && by > 0 && size(queue) + by > queueTasksMax;
  }

  private long size(String queue) {
    return tasks.values().stream().filter(task -> task.queue().equals(queue)).count();
  }

  private void refuseWhatNeverFits(Modification modification, String queue) {
    long own =
        Stream.of(
                modification.inserts().stream().map(Insert::queue),
                modification.changes().stream().map(Change::queue),
                modification.depends().stream().map(ref -> tasks.get(ref.id()).queue()))
            .flatMap(Function.identity())
            .filter(queue::equals)
            .count();
    if (own > queueTasksMax) {
      throw new EntroQException.InvalidArgument(
          "queue %s would have %d tasks of this modification alone, more than the %d that"
                  .formatted(queue, own, queueTasksMax)
              + " queueTasksMax allows. Nothing was done.",
          Optional.of(queue));
    }
  }

  private void refuseFull(String queue) {
    throw new EntroQException.ResourceExhausted(
        "queue %s has %d tasks and would have more than the %d that queueTasksMax allows."
                .formatted(queue, size(queue), queueTasksMax)
            + " Nothing was done.",
        Optional.of(queue));
  }

  private static void refuseDuplicates(Modification modification) {
    Set<TaskId> seen = new HashSet<>();
    Stream.of(
            modification.inserts().stream().flatMap(insert -> insert.id().stream()),
            modification.changes().stream().map(change -> change.task().id()),
            modification.deletes().stream().map(TaskRef::id),
            modification.depends().stream().map(TaskRef::id))
        .flatMap(Function.identity())
        .filter(id -> !seen.add(id))
        .findFirst()
        .ifPresent(FakeEntroQ::refuseDuplicate);
  }

  private static void refuseDuplicate(TaskId id) {
    throw new EntroQException.InvalidArgument("task " + id + " stands twice in one modification");
  }

  private ModifyResult.DependencyFailure check(Modification modification, String claimant) {
    List<TaskRef> collisions =
        modification.inserts().stream()
            .flatMap(insert -> insert.id().map(tasks::get).stream())
            .map(task -> new TaskRef(task.id(), task.version(), task.queue()))
            .toList();
    List<TaskRef> changeRefs = modification.changes().stream().map(Change::task).toList();
    Predicate<TaskRef> isHeld = ref -> fits(ref) && isOthers(tasks.get(ref.id()), claimant);
    return new ModifyResult.DependencyFailure(
        collisions,
        changeRefs.stream().filter(ref -> !fits(ref)).toList(),
        modification.deletes().stream().filter(ref -> !fits(ref)).toList(),
        modification.depends().stream().filter(ref -> !fits(ref)).toList(),
        Stream.concat(
                modification.changes().stream()
                    .filter(change -> change.mode() != Change.Mode.TAKE_BACK)
                    .map(Change::task),
                modification.deletes().stream())
            .filter(isHeld)
            .toList(),
        docs.check(modification.docs(), claimant, now()));
  }

  private boolean fits(TaskRef ref) {
    Task task = tasks.get(ref.id());
    return task != null && task.version() == ref.version() && ref.queue().equals(task.queue());
  }

  private boolean isOthers(Task task, String claimant) {
    return !task.isAvailableAt(now())
        && !task.claimant().isEmpty()
        && !task.claimant().equals(claimant);
  }

  private Task insert(Insert insert, String claimant) {
    TaskId id = insert.id().orElseGet(TaskId::random);
    Instant arrival = resolve(insert.arrival());
    Task task =
        new Task(
            id,
            0,
            insert.queue(),
            arrival,
            holder(arrival, claimant),
            insert.value(),
            now(),
            now(),
            0,
            insert.attempt(),
            insert.err());
    tasks.put(id, task);
    return task;
  }

  private Task change(Change change, String claimant) {
    Task old = tasks.get(change.task().id());
    Instant arrival = resolve(change.arrival());
    String holder = holder(arrival, claimant);
    Task task =
        change.mode() == Change.Mode.LEASE || change.mode() == Change.Mode.TAKE_BACK
            ? copy(old, arrival, holder, old.claims())
            : new Task(
                old.id(),
                old.version() + 1,
                change.queue(),
                arrival,
                holder,
                change.value(),
                old.created(),
                now(),
                change.mode() == Change.Mode.RESET_CLAIMS ? 0 : old.claims(),
                change.attempt(),
                change.err());
    tasks.put(task.id(), task);
    return task;
  }

  private String holder(Instant arrival, String claimant) {
    return arrival.isAfter(now()) ? claimant : "";
  }

  private Instant resolve(Arrival arrival) {
    long ms = arrival.resolveMs(nowMs);
    return ms < nowMs - OLDEST_ARRIVAL.toMillis() ? now() : Instant.ofEpochMilli(ms);
  }

  private List<Task> read(TaskQuery query) {
    Stream<Task> found =
        query.ids().isEmpty()
            ? tasks.values().stream().filter(task -> !query.queue().isEmpty())
            : query.ids().stream().flatMap(id -> Optional.ofNullable(tasks.get(id)).stream());
    return found
        .filter(task -> query.queue().isEmpty() || task.queue().equals(query.queue()))
        .filter(task -> query.claimant().isEmpty() || !isLeasedByOthers(task, query.claimant()))
        .limit(query.limit() == 0 ? Long.MAX_VALUE : query.limit())
        .map(task -> query.omitValues() ? withoutValue(task) : task)
        .toList();
  }

  private boolean isLeasedByOthers(Task task, String claimant) {
    return !task.isAvailableAt(now()) && !task.claimant().equals(claimant);
  }

  private static Task withoutValue(Task task) {
    return new Task(
        task.id(),
        task.version(),
        task.queue(),
        task.arrivalTime(),
        task.claimant(),
        Value.absent(),
        task.created(),
        task.modified(),
        task.claims(),
        task.attempt(),
        task.err());
  }

  private Map<String, QueueStats> stats(QueueQuery query) {
    Map<String, List<Task>> byQueue =
        tasks.values().stream()
            .filter(task -> query.matches(task.queue()))
            .collect(Collectors.groupingBy(Task::queue, TreeMap::new, Collectors.toList()));
    Map<String, QueueStats> stats = new TreeMap<>();
    byQueue.entrySet().stream()
        .limit(query.limit() == 0 ? Long.MAX_VALUE : query.limit())
        .forEach(entry -> stats.put(entry.getKey(), stats(entry.getKey(), entry.getValue())));
    return stats;
  }

  private QueueStats stats(String name, List<Task> inQueue) {
    long available = inQueue.stream().filter(task -> task.isAvailableAt(now())).count();
    long future = inQueue.stream().filter(t -> !t.isAvailableAt(now()) && t.claims() == 0).count();
    int maxClaims = inQueue.stream().mapToInt(Task::claims).max().orElse(0);
    long claimed = inQueue.size() - available - future;
    Optional<Duration> age =
        inQueue.stream()
            .map(Task::arrivalTime)
            .filter(arrival -> !arrival.isAfter(now()))
            .min(Comparator.naturalOrder())
            .map(arrival -> Duration.between(arrival, now()));
    return new QueueStats(name, inQueue.size(), available, claimed, future, maxClaims, age);
  }
}
