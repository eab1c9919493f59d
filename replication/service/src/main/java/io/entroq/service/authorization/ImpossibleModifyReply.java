package io.entroq.service.authorization;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.service.call.ForwardingReply;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Replaces impossible versions in the errors of a Modify with those that the caller sent. */
final class ImpossibleModifyReply extends ForwardingReply<ModifyResponse> {
  private final Map<String, Integer> versions = new HashMap<>();

  /**
   * @param request as the caller sent it
   */
  ImpossibleModifyReply(ModifyRequest request, Reply<ModifyResponse> reply) {
    super(reply);
    request.getChangesList().forEach(change -> add(change.getOldId()));
    request.getDeletesList().forEach(this::add);
    request.getDependsList().forEach(this::add);
  }

  private void add(TaskID task) {
    versions.put(task.getId(), task.getVersion());
  }

  @Override
  public void send(ModifyResponse response) {
    throw new IllegalStateException("a Modify with an impossible version succeeded");
  }

  @Override
  public void fail(Refusal refusal) {
    List<? extends Message> details =
        refusal.details().stream().map(this::withSentVersion).toList();
    reply.fail(new Refusal(refusal.code(), refusal.message(), details));
  }

  private Message withSentVersion(Message detail) {
    if (!(detail instanceof ModifyDep entry)
        || entry.getId().getVersion() != ModifyPlan.IMPOSSIBLE_VERSION) {
      return detail;
    }
    TaskID task = entry.getId();
    return entry.toBuilder()
        .setId(task.toBuilder().setVersion(versions.getOrDefault(task.getId(), 0)))
        .build();
  }
}
