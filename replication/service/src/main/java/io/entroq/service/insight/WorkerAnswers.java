package io.entroq.service.insight;

import io.entroq.codec.wire.edge.HeldTask;
import io.entroq.codec.wire.edge.Worker;
import io.entroq.codec.wire.edge.WorkersRequest;
import io.entroq.codec.wire.edge.WorkersResponse;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Answers questions about workers. */
final class WorkerAnswers {
  private static final int ROWS = 100;
  private static final int ROWS_MAX = 1_000;
  private static final int TASKS_MAX = 20;

  private WorkerAnswers() {}

  /**
   * Answers from a book that does not change meanwhile.
   *
   * @param sinceMs since when it has counted
   */
  static WorkersResponse workers(WorkersRequest request, WorkerBook book, long sinceMs) {
    int limit = Paging.limit(request.getLimit(), ROWS, ROWS_MAX);
    int offset = Paging.offset(request.getOffset());
    List<WorkerBook.Worker> matched =
        book.workers().stream()
            .filter(worker -> worker.name.startsWith(request.getPrefix()))
            .sorted(order(request))
            .toList();
    List<WorkerBook.Worker> page = matched.stream().skip(offset).limit(limit).toList();
    Map<String, List<WorkerBook.Held>> held =
        book.held(page.stream().map(worker -> worker.name).collect(Collectors.toSet()), TASKS_MAX);
    WorkersResponse.Builder response =
        WorkersResponse.newBuilder().setMatched(matched.size()).setSinceMs(sinceMs);
    page.forEach(
        worker -> response.addWorkers(message(worker, held.getOrDefault(worker.name, List.of()))));
    return response.build();
  }

  private static Comparator<WorkerBook.Worker> order(WorkersRequest request) {
    Comparator<WorkerBook.Worker> byName = Comparator.comparing(worker -> worker.name);
    Comparator<WorkerBook.Worker> order =
        switch (request.getSort()) {
          case "claimant" -> byName;
          case "", "seen_ms" -> Comparator.comparingLong(WorkerBook.Worker::seenMs);
          case "claimed" -> by(Event.CLAIMED);
          case "done" -> by(Event.DONE);
          case "failed" -> by(Event.FAILED);
          case "lapsed" -> by(Event.LAPSED);
          case "held" -> Comparator.comparingInt(WorkerBook.Worker::held);
          default -> throw Paging.noColumn(request.getSort());
        };
    boolean isDescending = request.getDescending() || request.getSort().isEmpty();
    return (isDescending ? order.reversed() : order).thenComparing(byName);
  }

  private static Comparator<WorkerBook.Worker> by(Event event) {
    return Comparator.comparingLong(worker -> worker.count(event));
  }

  private static Worker message(WorkerBook.Worker worker, List<WorkerBook.Held> held) {
    Worker.Builder message =
        Worker.newBuilder()
            .setClaimant(worker.name)
            .setSeenMs(worker.seenMs())
            .setClaimed(worker.count(Event.CLAIMED))
            .setDone(worker.count(Event.DONE))
            .setFailed(worker.count(Event.FAILED))
            .setLapsed(worker.count(Event.LAPSED))
            .setHeld(worker.held());
    held.forEach(
        task ->
            message.addTasks(
                HeldTask.newBuilder()
                    .setTaskId(task.id.v1Text())
                    .setQueue(task.queue)
                    .setUntilMs(task.untilMs())));
    return message.build();
  }
}
