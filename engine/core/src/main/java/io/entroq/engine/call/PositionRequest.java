package io.entroq.engine.call;

import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.engine.result.Page;
import io.entroq.engine.result.PositionPage;
import java.util.Optional;
import org.agrona.ExpandableArrayBuffer;

/** Reads where a task stands in its queue. */
public final class PositionRequest extends ListingRequest<Optional<Task.Position>> {
  private final TaskId task;

  /**
   * @param bytesMax longest result allowed, in bytes
   */
  public PositionRequest(TaskId task, int bytesMax) {
    super(bytesMax);
    this.task = task;
  }

  @Override
  public long bytesAtLeast() {
    return 0;
  }

  @Override
  public int encode(RequestEncoder encoder, ExpandableArrayBuffer buffer) {
    return encoder.position(buffer, task);
  }

  @Override
  Page open(ExpandableArrayBuffer buffer, int length) {
    return new PositionPage(buffer, 0, length);
  }

  @Override
  Optional<Task.Position> take(ReplyReader reply) {
    return reply.position();
  }

  @Override
  String advice() {
    return "allow more";
  }
}
