package io.entroq.tools.importing;

import io.entroq.api.Arrival;
import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.tools.importing.source.SourceServer;
import io.entroq.tools.importing.source.TaskItem;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A queue. */
final class QueueUnit implements ImportUnit<TaskItem> {
  /** A task whose arrival time is further in the past arrives when it is inserted. */
  private static final Duration PAST_MAX = Duration.ofDays(365);

  /**
   * Times may differ by this much: protocol 2 sends them as durations, which the target adds to its
   * clock when the request arrives.
   */
  private static final long TOLERANCE_MS = 60_000;

  private final SourceServer source;
  private final EntroQ target;
  private final Interruption interruption;
  private final String claimant;
  private final TargetRules rules;
  private final String queue;

  /** The target's time, read after the copy. */
  private Instant targetTime;

  QueueUnit(
      SourceServer source,
      EntroQ target,
      Interruption interruption,
      String claimant,
      TargetRules rules,
      String queue) {
    this.source = source;
    this.target = target;
    this.interruption = interruption;
    this.claimant = claimant;
    this.rules = rules;
    this.queue = queue;
  }

  @Override
  public UnitName name() {
    return new UnitName(UnitName.Kind.QUEUE, queue);
  }

  @Override
  public void forEach(Consumer<TaskItem> consumer) {
    source.forEachTask(queue, false, consumer);
  }

  @Override
  public void forEachId(Consumer<String> consumer) {
    source.forEachTask(queue, true, task -> consumer.accept(task.id()));
  }

  @Override
  public void forEach(List<String> ids, Consumer<TaskItem> consumer) {
    source.forEachTask(
        ids,
        task -> {
          if (task.queue().equals(queue)) {
            consumer.accept(task);
          }
        });
  }

  @Override
  public long targetSize() {
    return interruption
        .await(target.queuesAsync(QueueQuery.named(queue)))
        .orElseThrow(ImportInterruptedException::new)
        .getOrDefault(queue, 0L);
  }

  @Override
  public void forEachTargetId(Consumer<String> consumer) {
    target.forEachTask(
        TaskQuery.in(queue).withoutValues(), task -> consumer.accept(task.id().text()));
  }

  @Override
  public Map<String, TaskItem> atTarget(List<String> ids) {
    Map<String, TaskItem> there = new HashMap<>();
    target.forEachTask(
        TaskQuery.withIds(readable(ids)), task -> there.put(task.id().text(), item(task)));
    return there;
  }

  @Override
  public boolean isOf(TaskItem there) {
    return there.queue().equals(queue);
  }

  @Override
  public Set<String> takenAtTarget(List<String> ids) {
    Set<String> taken = new HashSet<>();
    TaskQuery query = TaskQuery.withIds(readable(ids)).withoutValues();
    interruption
        .await(target.tasksAsync(query))
        .orElseThrow(ImportInterruptedException::new)
        .forEach(task -> taken.add(task.id().text()));
    return taken;
  }

  /** The ids that the target accepts. */
  private static List<TaskId> readable(List<String> ids) {
    List<TaskId> readable = new ArrayList<>(ids.size());
    ids.forEach(id -> id(id).ifPresent(readable::add));
    return readable;
  }

  private static Optional<TaskId> id(String text) {
    try {
      return Optional.of(TaskId.of(text));
    } catch (EntroQException.InvalidArgument e) {
      return Optional.empty();
    }
  }

  private static TaskItem item(Task task) {
    return new TaskItem(
        task.id().text(),
        task.queue(),
        task.arrivalTime().toEpochMilli(),
        task.value(),
        task.attempt(),
        task.err(),
        task.expires().map(Instant::toEpochMilli).orElse(0L),
        task.trace());
  }

  @Override
  public ModifyResult insert(List<TaskItem> items) {
    rules.requireNoTopic(queue);
    Modification.Builder inserts = Modification.builder().claimant(claimant);
    boolean isExpiring = items.stream().anyMatch(task -> task.expiresMs() > 0);
    long nowMs = isExpiring ? target.time().toEpochMilli() : 0;
    for (TaskItem task : items) {
      inserts.insert(
          new Insert(
              Optional.of(TaskId.of(task.id())),
              task.queue(),
              Arrival.at(Instant.ofEpochMilli(task.arrivalMs())),
              task.value(),
              task.attempt(),
              task.err(),
              timeToLive(task, nowMs),
              task.trace(),
              ""));
    }
    return interruption
        .await(target.modifyAsync(inserts.build()))
        .orElseThrow(ImportInterruptedException::new);
  }

  /** The policy that the target has already must not decide how long a task lives. */
  private Optional<Duration> timeToLive(TaskItem task, long nowMs) {
    if (task.expiresMs() > 0) {
      return Optional.of(Duration.ofMillis(Math.max(1, task.expiresMs() - nowMs)));
    }
    return rules.hasTimeToLive() ? Optional.of(Claim.FOREVER) : Optional.empty();
  }

  @Override
  public List<String> differences(TaskItem here, TaskItem there) {
    List<String> differences = new ArrayList<>();
    if (!here.queue().equals(there.queue())) {
      differences.add("is in queue %s there".formatted(there.queue()));
    }
    if (!isSameArrival(here.arrivalMs(), there.arrivalMs())) {
      differences.add(
          "arrives at %s, there at %s"
              .formatted(
                  Instant.ofEpochMilli(here.arrivalMs()), Instant.ofEpochMilli(there.arrivalMs())));
    }
    ValueComparison.difference(here.value(), there.value()).ifPresent(differences::add);
    if (here.attempt() != there.attempt()) {
      differences.add("has attempt %d, there %d".formatted(here.attempt(), there.attempt()));
    }
    if (!here.err().equals(there.err())) {
      differences.add("has another err there");
    }
    if (!isSameExpiry(here.expiresMs(), there.expiresMs())) {
      differences.add(
          "expires %s, there %s".formatted(expiry(here.expiresMs()), expiry(there.expiresMs())));
    }
    if (!here.trace().equals(there.trace())) {
      differences.add("has another trace there");
    }
    return differences;
  }

  private static boolean isSameExpiry(long hereMs, long thereMs) {
    boolean isForever = hereMs == 0 || thereMs == 0;
    return isForever ? hereMs == thereMs : Math.abs(hereMs - thereMs) <= TOLERANCE_MS;
  }

  private static String expiry(long ms) {
    return ms == 0 ? "never" : "at " + Instant.ofEpochMilli(ms);
  }

  private boolean isSameArrival(long hereMs, long thereMs) {
    if (Math.abs(hereMs - thereMs) <= TOLERANCE_MS) {
      return true;
    }
    if (targetTime == null) {
      targetTime = target.time();
    }
    return hereMs < targetTime.minus(PAST_MAX).toEpochMilli()
        && thereMs <= targetTime.toEpochMilli();
  }
}
