package io.entroq.console.action;

import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.read.Visit;
import io.entroq.service.call.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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
  private long deleted;
  private long held;

  Deletion(Visit visit, String queue, Job job) {
    this.visit = visit;
    this.queue = queue;
    this.job = job;
  }

  /** Deletes all tasks that nobody else holds. */
  String all() {
    long before = -1;
    while (deleted > before && !job.isStopping()) {
      before = deleted;
      held = 0;
      delete(list(task -> true, LOOKED_AT_MAX));
    }
    return end();
  }

  /** Deletes tasks that a filter selects. */
  String matching(Predicate<Task> filter, int max) {
    delete(list(filter, max));
    return end();
  }

  private String end() {
    return words() + (job.isStopping() ? " It was stopped." : " It is done.");
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
    TasksRequest request = TasksRequest.newBuilder().setQueue(queue).setOmitValues(true).build();
    List<TaskID> found = Collections.synchronizedList(new ArrayList<>());
    boolean unused =
        visit
            .reads(LISTING_PATIENCE)
            .each(
                Method.STREAM_TASKS,
                request,
                response -> {
                  response.getTasksList().stream()
                      .filter(filter)
                      .map(TaskAction::ref)
                      .forEach(found::add);
                  return found.size() < max;
                });
    return List.copyOf(found).subList(0, Math.min(max, found.size()));
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
