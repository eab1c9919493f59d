package io.entroq.engine.embedded;

import io.entroq.api.EntroQException;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.feed.FeedCursor;
import io.entroq.api.feed.FeedQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Waits until some queues are idle: no claim would get a task of them, and none of their tasks is
 * in flight.
 *
 * <p>The engine makes a task in flight in the step that claims it, and inserts results in the step
 * that ends it. So whatever is going on shows in the statistics. They may be read between steps;
 * then the feed tells of those steps, and they are read again.
 */
final class IdleWait {
  private static final int TASKS_SHOWN_MAX = 10;

  /**
   * The feed wakes this wait. But the end of a lease by the clock is no step before a command looks
   * at the task.
   */
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final EmbeddedEntroQ queue;
  private final Set<String> names;

  /**
   * @param names of queues; a pool stands for its members, too
   */
  IdleWait(EmbeddedEntroQ queue, Set<String> names) {
    this.queue = queue;
    this.names = names;
  }

  /**
   * Waits for it.
   *
   * @param patience of the real time
   * @throws EntroQException.TimedOut after that; the message tells what is left
   */
  void await(Duration patience) throws InterruptedException {
    long beganNs = System.nanoTime();
    Semaphore changed = new Semaphore(0);
    try (FeedCursor steps = queue.openFeed(stepsOfQueues())) {
      while (true) {
        skip(steps);
        Collection<QueueStats> busy = busy();
        boolean isOfOneMoment = !skip(steps);
        if (busy.isEmpty() && isOfOneMoment) {
          return;
        }
        long leftNs = patience.toNanos() - (System.nanoTime() - beganNs);
        if (leftNs <= 0) {
          throw new EntroQException.TimedOut(text(patience, busy));
        }
        changed.drainPermits();
        if (isOfOneMoment && steps.await(changed::release)) {
          // Either way it looks again.
          boolean unused = changed.tryAcquire(Math.min(leftNs, LOOK_NS), TimeUnit.NANOSECONDS);
        }
      }
    }
  }

  /** With all that may be members of pools: others must not keep this from an end. */
  private FeedQuery stepsOfQueues() {
    FeedQuery.Builder query = FeedQuery.fromNow();
    names.forEach(name -> query.queues(name).prefixes(name + "/"));
    return query.build();
  }

  /** Whether there were steps. */
  private static boolean skip(FeedCursor steps) {
    boolean isAny = false;
    while (steps.poll().isPresent()) {
      isAny = true;
    }
    return isAny;
  }

  private Collection<QueueStats> busy() {
    Map<String, QueueStats> busy = new TreeMap<>(stats());
    busy.values().removeIf(stats -> stats.claimable() == 0 && !isAnyHeld(stats));
    return busy.values();
  }

  /** A lease that has ended counts as in flight until a command looks at its task. */
  private boolean isAnyHeld(QueueStats stats) {
    return stats.inFlight() > 0 && tasks(stats.name()).stream().anyMatch(held(queue.time()));
  }

  private static Predicate<Task> held(Instant now) {
    return task -> task.isInFlight() && !task.isAvailableAt(now);
  }

  private List<Task> tasks(String name) {
    return queue.tasks(TaskQuery.in(name).withoutValues());
  }

  private Map<String, QueueStats> stats() {
    Map<String, Integer> pools =
        queue.policies().list(Policies.Query.of(Policies.Kind.QUEUE)).stream()
            .filter(entry -> names.contains(entry.target().name()))
            .filter(entry -> depth(entry) > 0)
            .collect(Collectors.toMap(entry -> entry.target().name(), IdleWait::depth));
    if (pools.isEmpty()) {
      return queue.queueStats(QueueQuery.named(names.toArray(String[]::new)));
    }
    return queue.queueStats(QueueQuery.all()).entrySet().stream()
        .filter(
            entry ->
                names.contains(entry.getKey())
                    || pools.entrySet().stream()
                        .anyMatch(pool -> isIn(pool.getKey(), pool.getValue(), entry.getKey())))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Of a pool; 0 if it is none. */
  private static int depth(Policies.Entry entry) {
    return entry
        .rules()
        .filter(QueuePolicy.class::isInstance)
        .flatMap(rules -> ((QueuePolicy) rules).pool())
        .map(QueuePolicy.Pool::depth)
        .orElse(0);
  }

  /** Whether a queue is a member of a pool, as {@link QueuePolicy#pool()} says. */
  private static boolean isIn(String pool, int depth, String name) {
    if (!name.startsWith(pool + "/")) {
      return false;
    }
    List<String> segments = List.of(name.substring(pool.length() + 1).split("/", -1));
    return segments.size() <= depth && !segments.contains("err");
  }

  /** When something becomes due in the queues by itself; empty for never. */
  Optional<Instant> nextDue() {
    Instant now = queue.time();
    List<Instant> due = new ArrayList<>();
    stats()
        .forEach(
            (name, stats) -> {
              stats.pausedUntil().ifPresent(due::add);
              stats.nextStart().ifPresent(due::add);
              queue.forEachTask(
                  TaskQuery.in(name).withoutValues(),
                  task -> {
                    due.add(task.arrivalTime());
                    task.expires().ifPresent(due::add);
                  });
            });
    return due.stream()
        .filter(time -> time.isAfter(now) && time.isBefore(Instant.MAX))
        .min(Instant::compareTo);
  }

  private String text(Duration patience, Collection<QueueStats> busy) {
    Instant now = queue.time();
    StringBuilder text = new StringBuilder("still not idle after ").append(seconds(patience));
    if (busy.isEmpty()) {
      return text + ": tasks come and go all the time";
    }
    boolean isAnyHeld = false;
    for (QueueStats stats : busy) {
      List<Task> tasks =
          tasks(stats.name()).stream()
              .filter(task -> task.isInFlight() || task.isAvailableAt(now))
              .toList();
      isAnyHeld |= tasks.stream().anyMatch(held(now));
      text.append(
          "\n  %s: %,d available, %,d in flight"
              .formatted(stats.name(), stats.claimable(), stats.inFlight()));
      tasks.stream().limit(TASKS_SHOWN_MAX).map(task -> text(task, now)).forEach(text::append);
      if (tasks.size() > TASKS_SHOWN_MAX) {
        text.append("\n    and %,d more".formatted(tasks.size() - TASKS_SHOWN_MAX));
      }
    }
    return text.append(
            isAnyHeld
                ? "\nA task in flight is held by a handler that has not returned, by a worker that"
                    + " waits for the clock, or by the test."
                : "\nNobody claims: is a worker of that queue running?")
        .toString();
  }

  private static String text(Task task, Instant now) {
    return held(now).test(task)
        ? "\n    %s: held by %s until %s"
            .formatted(task.id().text(), task.claimant(), task.arrivalTime())
        : "\n    %s: available, attempt %,d".formatted(task.id().text(), task.attempt());
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() % 1_000 == 0
        ? "%,d s".formatted(duration.toSeconds())
        : "%,d ms".formatted(duration.toMillis());
  }

  /** The names, of which there must be some. */
  static Set<String> named(String[] queues, Set<String> ofWorkers) {
    Set<String> names =
        queues.length > 0 ? Stream.of(queues).collect(Collectors.toSet()) : Set.copyOf(ofWorkers);
    if (names.isEmpty()) {
      throw new EntroQException.InvalidArgument(
          "no worker was started on this queue: start one, or name the queues to wait for");
    }
    return names;
  }
}
