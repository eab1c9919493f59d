package io.entroq.engine.call;

import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.engine.result.Page;
import io.entroq.engine.result.TasksPage;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;

/** Asks for a listing of tasks. */
public final class TasksRequest extends ListingRequest<List<Task>> {
  private final TaskQuery query;
  private final boolean isPaged;
  private List<Task> tasks = new ArrayList<>();

  private TasksRequest(TaskQuery query, long bytesMax) {
    super(bytesMax);
    this.query = query;
    this.isPaged = bytesMax == 0;
  }

  /** Asks for all at once, which may have so many bytes. */
  public static TasksRequest all(TaskQuery query, int bytesMax) {
    return new TasksRequest(query, bytesMax);
  }

  /** Asks for the next page whenever it is sent. */
  public static TasksRequest paged(TaskQuery query) {
    return new TasksRequest(query, 0);
  }

  /** Whether the answer is known: neither ids nor a queue mean no tasks. */
  public static boolean isEmpty(TaskQuery query) {
    return query.ids().isEmpty() && query.queue().isEmpty();
  }

  @Override
  public long bytesAtLeast() {
    long bytes = 0;
    for (TaskId id : query.ids()) {
      bytes += Long.BYTES + id.text().length();
    }
    return bytes;
  }

  @Override
  public int encode(RequestEncoder encoder, ExpandableArrayBuffer buffer) {
    return encoder.tasks(buffer, query);
  }

  @Override
  Page open(ExpandableArrayBuffer buffer, int length) {
    return new TasksPage(buffer, 0, length);
  }

  @Override
  List<Task> take(ReplyReader reply) {
    if (isPaged) {
      tasks = new ArrayList<>();
    }
    reply.addListed(tasks);
    return tasks;
  }

  @Override
  String advice() {
    return "ask for less at a time, with a limit or without values, or use forEachTask, which"
        + " takes listings of any length";
  }
}
