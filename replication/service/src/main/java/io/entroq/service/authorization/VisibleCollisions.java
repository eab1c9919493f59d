package io.entroq.service.authorization;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.service.call.ForwardingReply;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import java.util.List;

/**
 * Hides the queue of an existing task whose id an insert collides with, unless the caller may read
 * that queue.
 */
final class VisibleCollisions extends ForwardingReply<ModifyResponse> {
  private final AuthorizedCall authorized;
  private final String claimantId;

  VisibleCollisions(AuthorizedCall authorized, String claimantId, Reply<ModifyResponse> reply) {
    super(reply);
    this.authorized = authorized;
    this.claimantId = claimantId;
  }

  @Override
  public void fail(Refusal refusal) {
    List<Task> existing =
        refusal.dependencies().stream()
            .filter(VisibleCollisions::isCollision)
            .map(ModifyDep::getId)
            .map(VisibleCollisions::task)
            .toList();
    if (existing.isEmpty()) {
      reply.fail(refusal);
      return;
    }
    authorized.findVisible(
        claimantId,
        authorized.locations(existing),
        visible -> reply.fail(masked(refusal, visible)),
        denied -> reply.fail(masked(refusal, authorized.locations(List.of()))));
  }

  private static boolean isCollision(ModifyDep entry) {
    return entry.getType() == ActionType.INSERT && entry.hasId();
  }

  private static Task task(TaskID existing) {
    return Task.newBuilder().setId(existing.getId()).setQueue(existing.getQueue()).build();
  }

  private static Refusal masked(Refusal refusal, TaskLocations visible) {
    return new Refusal(
        refusal.code(),
        refusal.message(),
        refusal.details().stream().map(detail -> masked(detail, visible)).toList());
  }

  private static Message masked(Message detail, TaskLocations visible) {
    if (!(detail instanceof ModifyDep entry)
        || !isCollision(entry)
        || visible.tasks().containsKey(entry.getId().getId())) {
      return detail;
    }
    return entry.toBuilder().setId(TaskID.newBuilder().setId(entry.getId().getId())).build();
  }
}
