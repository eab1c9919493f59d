package io.entroq.engine.embedded;

import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import java.util.List;

/** Asks for a listing of tasks. */
final class TasksRequest extends Request<List<Task>> {
  private final TaskQuery query;

  TasksRequest(TaskQuery query) {
    super(RequestKind.LIST_TASKS);
    this.query = query;
  }

  /** Whether the answer is known: neither ids nor a queue mean no tasks. */
  static boolean isEmpty(TaskQuery query) {
    return query.ids().isEmpty() && query.queue().isEmpty();
  }

  @Override
  long bytesAtLeast() {
    long bytes = 0;
    for (TaskId id : query.ids()) {
      bytes += Long.BYTES + id.text().length();
    }
    return bytes;
  }

  @Override
  int encode(RequestSlot slot) {
    return slot.encoder().tasks(slot.command(), query);
  }

  @Override
  List<Task> answer(ReplyReader reply) {
    return reply.listed();
  }
}
