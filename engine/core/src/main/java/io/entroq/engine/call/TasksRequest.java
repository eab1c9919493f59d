package io.entroq.engine.call;

import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.engine.result.Page;
import io.entroq.engine.result.TasksPage;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;

/** Lists tasks. */
public final class TasksRequest extends ListingRequest<List<Task>> {
  private final TaskQuery query;
  private final boolean isPaged;
  private List<Task> tasks = new ArrayList<>();

  private TasksRequest(TaskQuery query, long bytesMax) {
    super(bytesMax);
    this.query = query;
    this.isPaged = bytesMax == 0;
  }

  /** Lists all tasks in one result of at most {@code bytesMax} bytes. */
  public static TasksRequest all(TaskQuery query, int bytesMax) {
    return new TasksRequest(query, bytesMax);
  }

  /** Lists one page each time it is sent. */
  public static TasksRequest paged(TaskQuery query) {
    return new TasksRequest(query, 0);
  }

  /** Whether the query has neither ids nor a queue, so that it lists nothing. */
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
    return "request less at a time: a limit, or no values; or use forEachTask, which has no"
        + " limit";
  }
}
