package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.service.call.ForwardingReply;
import io.entroq.service.call.Reply;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Passes on only tasks in authorized queues. A task that has moved in the meantime is omitted as if
 * it did not exist.
 */
final class VisibleTasks extends ForwardingReply<TasksResponse> {
  private final Set<String> queues;

  VisibleTasks(TaskLocations locations, Reply<TasksResponse> reply) {
    super(reply);
    this.queues =
        locations.tasks().values().stream().map(Task::getQueue).collect(Collectors.toSet());
  }

  @Override
  public void send(TasksResponse response) {
    reply.send(visible(response));
  }

  private TasksResponse visible(TasksResponse response) {
    if (response.getTasksList().stream().allMatch(this::isVisible)) {
      return response;
    }
    return TasksResponse.newBuilder()
        .addAllTasks(response.getTasksList().stream().filter(this::isVisible).toList())
        .build();
  }

  private boolean isVisible(Task task) {
    return queues.contains(task.getQueue());
  }
}
