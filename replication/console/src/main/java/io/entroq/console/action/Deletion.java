package io.entroq.console.action;

import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.read.Visit;
import io.entroq.console.value.TaskWords;
import io.entroq.service.call.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Deletes tasks of a queue in small writes. Single-threaded; blocks. */
final class Deletion {
  private static final int LOOKED_AT_MAX = 10_000;
  private static final int BATCH_TASKS = 200;
  private static final Duration LISTING_PATIENCE = Duration.ofSeconds(60);
  private static final Duration WRITE_PATIENCE = Duration.ofSeconds(10);

  private final Visit visit;
  private final String queue;
  private final Job job;
  private final Duration listingPatience;
  private long deleted;
  private long held;

  /** Whether the last listing ended because its time was up. */
  private boolean isCut;

  Deletion(Visit visit, String queue, Job job) {
    this(visit, queue, job, LISTING_PATIENCE);
  }

  Deletion(Visit visit, String queue, Job job, Duration listingPatience) {
    this.visit = visit;
    this.queue = queue;
    this.job = job;
    this.listingPatience = listingPatience;
  }

  /** Deletes all tasks that were there when this began and that nobody else holds. */
  String all() {
    long beginMs = timeMs();
    long before = -1;
    while (deleted > before && !job.isStopping()) {
      before = deleted;
      // Others may insert as fast as this deletes.
      delete(list(task -> task.getCreatedMs() <= beginMs, LOOKED_AT_MAX));
    }
    return end();
  }

  private long timeMs() {
    return visit.reads(WRITE_PATIENCE).timeMs();
  }

  /** Deletes tasks that a filter selects and that nobody else holds. */
  String matching(Predicate<Task> filter, int max) {
    delete(list(filter, max));
    return end();
  }

  private String end() {
    if (job.isStopping()) {
      return words() + " It was stopped.";
    }
    return words()
        + (isCut ? " Not all could be looked at in time; start it again." : " It is done.");
  }

  private String words() {
    return "%,d %s deleted%s."
        .formatted(
            deleted,
            deleted == 1 ? "task is" : "tasks are",
            held == 0
                ? ""
                : "; %,d %s, because others hold %s"
                    .formatted(held, held == 1 ? "stays" : "stay", held == 1 ? "it" : "them"));
  }

  /** Looks at tasks of the queue, without values. */
  private List<TaskID> list(Predicate<Task> filter, int max) {
    long nowMs = timeMs();
    TasksRequest request = TasksRequest.newBuilder().setQueue(queue).setOmitValues(true).build();
    Listing listing = new Listing(filter, max, nowMs);
    boolean isComplete =
        visit.reads(listingPatience).each(Method.STREAM_TASKS, request, listing::add);
    synchronized (listing) {
      isCut = !isComplete && listing.found.size() < max;
      held = listing.held;
      return List.copyOf(listing.found);
    }
  }

  /** Tasks to delete. */
  private final class Listing {
    private final Predicate<Task> filter;
    private final int max;
    private final long nowMs;
    private final List<TaskID> found = new ArrayList<>();
    private long held;

    Listing(Predicate<Task> filter, int max, long nowMs) {
      this.filter = filter;
      this.max = max;
      this.nowMs = nowMs;
    }

    synchronized boolean add(TasksResponse response) {
      for (Task task : response.getTasksList()) {
        if (found.size() == max) {
          return false;
        }
        if (!filter.test(task)) {
          continue;
        }
        if (TaskWords.isHeldByAnother(task, visit.claimant(), nowMs)) {
          held++;
        } else {
          found.add(TaskAction.ref(task));
        }
      }
      return found.size() < max;
    }
  }

  private void delete(List<TaskID> tasks) {
    for (int i = 0; i < tasks.size() && !job.isStopping(); i += BATCH_TASKS) {
      deleteBatch(tasks.subList(i, Math.min(tasks.size(), i + BATCH_TASKS)));
      job.progress(words());
    }
  }

  /** Deletes those that are still as they were seen, and that nobody else holds. */
  private void deleteBatch(List<TaskID> batch) {
    List<TaskID> rest = batch;
    while (!rest.isEmpty()) {
      try {
        visit
            .reads(WRITE_PATIENCE)
            .ask(
                Method.MODIFY,
                ModifyRequest.newBuilder()
                    .setClaimantId(visit.claimant())
                    .addAllDeletes(rest)
                    .build());
        deleted += rest.size();
        return;
      } catch (CallFailedException e) {
        rest = without(rest, e);
      }
    }
  }

  private List<TaskID> without(List<TaskID> batch, CallFailedException failure) {
    List<ModifyDep> reasons = failure.refusal().dependencies();
    Set<String> failed =
        reasons.stream().map(reason -> reason.getId().getId()).collect(Collectors.toSet());
    List<TaskID> rest = new ArrayList<>(batch);
    rest.removeIf(task -> failed.contains(task.getId()));
    if (rest.size() == batch.size()) {
      throw failure;
    }
    held += reasons.stream().filter(reason -> reason.getType() == ActionType.CLAIM).count();
    return rest;
  }
}
