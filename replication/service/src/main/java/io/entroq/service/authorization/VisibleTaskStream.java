package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.service.call.StreamReply;

/** The same for a listing that is answered piece by piece. */
final class VisibleTaskStream extends VisibleTasks implements StreamReply<TasksResponse> {
  private final StreamReply<TasksResponse> reply;

  VisibleTaskStream(TaskLocations places, StreamReply<TasksResponse> reply) {
    super(places, reply);
    this.reply = reply;
  }

  @Override
  public boolean isReady() {
    return reply.isReady();
  }

  @Override
  public void complete() {
    reply.complete();
  }
}
