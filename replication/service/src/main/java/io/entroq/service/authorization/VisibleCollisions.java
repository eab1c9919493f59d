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

/** Hides the queue of a task whose id is taken, unless the caller may read that queue. */
final class VisibleCollisions extends ForwardingReply<ModifyResponse> {
  private final AuthorizedCall guard;
  private final String claimantId;

  /**
   * Passes on what becomes of a Modify.
   *
   * @param guard of the request
   * @param claimantId in whose name it is
   */
  VisibleCollisions(AuthorizedCall guard, String claimantId, Reply<ModifyResponse> reply) {
    super(reply);
    this.guard = guard;
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
    new VisibilityCheck(guard, claimantId)
        .look(
            guard.places(existing),
            seen -> reply.fail(shown(refusal, seen)),
            denied -> reply.fail(shown(refusal, guard.places(List.of()))));
  }

  private static boolean isCollision(ModifyDep entry) {
    return entry.getType() == ActionType.INSERT && entry.hasId();
  }

  private static Task task(TaskID existing) {
    return Task.newBuilder().setId(existing.getId()).setQueue(existing.getQueue()).build();
  }

  private static Refusal shown(Refusal refusal, TaskLocations seen) {
    return new Refusal(
        refusal.code(),
        refusal.message(),
        refusal.details().stream().map(detail -> shown(detail, seen)).toList());
  }

  private static Message shown(Message detail, TaskLocations seen) {
    if (!(detail instanceof ModifyDep entry)
        || !isCollision(entry)
        || seen.tasks().containsKey(entry.getId().getId())) {
      return detail;
    }
    return entry.toBuilder().setId(TaskID.newBuilder().setId(entry.getId().getId())).build();
  }
}
