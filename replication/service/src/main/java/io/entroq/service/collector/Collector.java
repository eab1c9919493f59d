package io.entroq.service.collector;

import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.codec.result.ListNamespacesEncoder;
import io.entroq.codec.result.ListQueuesEncoder;
import io.entroq.engine.gateway.Gateway;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the tasks and docs of queues and namespaces whose time has passed; see {@link
 * CollectionTime}.
 *
 * <p>It sweeps every few seconds. It claims available tasks under a name of its own and deletes
 * them, so it never takes a task that somebody holds. It deletes docs of sets that nobody holds.
 * What is held waits for a later sweep. Each step is one request of bounded size, and the next
 * begins when it is answered.
 */
public final class Collector implements AutoCloseable {
  /** Who claims and deletes. */
  public static final String CLAIMANT = "entroq-gc-collector";

  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /** With many queues, listing takes at most this part of the time. */
  private static final int REST_PARTS = 10;

  /** A step takes this many tasks or docs. */
  private static final int STEP_ITEMS = 200;

  /** If this process dies between claim and delete, the tasks are collected after it. */
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final Gateway gateway;
  private final EntroQ queue;
  private final BooleanSupplier works;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Collector::thread);
  private Set<String> malformed = new HashSet<>();
  private volatile boolean isStopped;
  private volatile CollectorStats stats = CollectorStats.NONE;

  /** Creates a collector that sweeps only when {@link #sweep} is called. */
  Collector(Gateway gateway, EntroQ queue, BooleanSupplier works) {
    this.gateway = gateway;
    this.queue = queue;
    this.works = works;
  }

  /**
   * Starts to sweep every few seconds.
   *
   * @param gateway lists names
   * @param queue the same queue
   * @param works whether to sweep at all now: of the members of a cluster, only the leader does
   */
  public static Collector start(Gateway gateway, EntroQ queue, BooleanSupplier works) {
    return start(gateway, queue, works, INTERVAL);
  }

  static Collector start(Gateway gateway, EntroQ queue, BooleanSupplier works, Duration interval) {
    Collector collector = new Collector(gateway, queue, works);
    collector.sweepAfter(interval.toNanos(), interval);
    return collector;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-collector");
    thread.setDaemon(true);
    return thread;
  }

  private void sweepAfter(long delayNs, Duration interval) {
    var unused =
        thread.schedule(
            () -> {
              long tookNs = sweep();
              if (!isStopped) {
                sweepAfter(Math.max(interval.toNanos(), REST_PARTS * tookNs), interval);
              }
            },
            delayNs,
            TimeUnit.NANOSECONDS);
  }

  /**
   * Looks at all names once.
   *
   * @return nanoseconds that it took
   */
  long sweep() {
    long beganNs = System.nanoTime();
    Set<String> found = new HashSet<>();
    boolean hasFailed = false;
    try {
      if (!works.getAsBoolean()) {
        return 0;
      }
      sweepNames(found);
      // Names that are gone are forgotten, so this does not grow.
      malformed = found;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (EntroQException | ExecutionException | CompletionException e) {
      hasFailed = !isStopped;
      LOG.debug("A sweep failed; the next one goes on.", e);
    } catch (RuntimeException | Error e) {
      // Whatever it was: the next sweep begins only if this one returns.
      hasFailed = !isStopped;
      LOG.error("A sweep failed because of an internal error; the next one goes on.", e);
    }
    long tookNs = System.nanoTime() - beganNs;
    CollectorStats before = stats;
    stats =
        new CollectorStats(
            before.deleted(),
            before.malformed(),
            before.failures() + (hasFailed ? 1 : 0),
            before.sweeps() + 1,
            before.sweepNs() + tookNs);
    return tookNs;
  }

  private void sweepNames(Set<String> found) throws InterruptedException, ExecutionException {
    List<String> queues =
        CollectableNames.ofQueues(
                gateway.queues(
                    buffer -> new ListQueuesEncoder().wrap(buffer, 0).omitsStats(true).length()))
            .get();
    List<String> namespaces =
        CollectableNames.ofNamespaces(
                gateway.namespaces(buffer -> new ListNamespacesEncoder().wrap(buffer, 0).length()))
            .get();
    if (queues.isEmpty() && namespaces.isEmpty()) {
      return;
    }
    long nowMs = queue.timeAsync().get().toEpochMilli();
    for (String name : queues) {
      if (isDue("queue", name, nowMs, found)) {
        deleteTasks(name);
      }
    }
    for (String name : namespaces) {
      if (isDue("namespace", name, nowMs, found)) {
        deleteDocs(name);
      }
    }
  }

  private boolean isDue(String what, String name, long nowMs, Set<String> found) {
    long timeMs = CollectionTime.of(name);
    if (timeMs == CollectionTime.MALFORMED) {
      String full = what + " " + name;
      found.add(full);
      if (!malformed.contains(full)) {
        count(0, 1);
        LOG.warn(
            "{} {} is never collected: the value of gc= is neither seconds since the epoch nor an"
                + " RFC 3339 time.",
            what,
            name);
      }
      return false;
    }
    return timeMs <= nowMs;
  }

  private void deleteTasks(String name) throws ExecutionException, InterruptedException {
    Claim claim = Claim.from(name).withLimit(STEP_ITEMS).withLease(LEASE).withClaimant(CLAIMANT);
    while (!isStopped) {
      List<Task> tasks = queue.tryClaimAsync(claim).get();
      if (tasks.isEmpty()) {
        return;
      }
      Modification.Builder deletes = Modification.builder().claimant(CLAIMANT);
      tasks.forEach(deletes::delete);
      if (!commit(deletes, tasks.size())) {
        return;
      }
    }
  }

  /** Deletes docs set by set, because one that is held would keep the others. */
  private void deleteDocs(String name) throws ExecutionException, InterruptedException {
    String from = "";
    while (!isStopped) {
      List<Doc> docs =
          queue
              .docsAsync(DocQuery.in(name).between(from, "").withLimit(STEP_ITEMS).withoutValues())
              .get();
      Map<String, List<Doc>> sets = new LinkedHashMap<>();
      for (Doc doc : docs) {
        sets.computeIfAbsent(doc.key(), key -> new ArrayList<>()).add(doc);
      }
      for (Map.Entry<String, List<Doc>> set : sets.entrySet()) {
        Modification.Builder deletes = Modification.builder().claimant(CLAIMANT);
        set.getValue().forEach(doc -> deletes.deleteDoc(doc.ref()));
        // The last set may go on after this page; skip it only if it stays.
        from = commit(deletes, set.getValue().size()) ? set.getKey() : set.getKey() + "\0";
      }
      if (docs.size() < STEP_ITEMS) {
        return;
      }
    }
  }

  private boolean commit(Modification.Builder deletes, int count)
      throws ExecutionException, InterruptedException {
    ModifyResult result = queue.modifyAsync(deletes.build()).get();
    if (result instanceof ModifyResult.DependencyFailure) {
      // Somebody wrote or holds it; the next sweep looks again.
      return false;
    }
    count(count, 0);
    return true;
  }

  private void count(long deleted, long newlyMalformed) {
    CollectorStats before = stats;
    stats =
        new CollectorStats(
            before.deleted() + deleted,
            before.malformed() + newlyMalformed,
            before.failures(),
            before.sweeps(),
            before.sweepNs());
  }

  /** What it has done so far. Any thread. */
  public CollectorStats stats() {
    return stats;
  }

  /** Ends after the step that runs now. */
  @Override
  public void close() {
    isStopped = true;
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(INTERVAL.toSeconds(), TimeUnit.SECONDS)) {
        LOG.warn("The collector did not end in time.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
