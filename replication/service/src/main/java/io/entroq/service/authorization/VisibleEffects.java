package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.service.call.ForwardingReply;
import io.entroq.service.call.Reply;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Shows a feed no more than it asked for, since its caller may read nothing else for all we know:
 * of a task that has moved to another queue, only that it is gone, and of one that has come, not
 * where from.
 */
final class VisibleEffects extends ForwardingReply<TailResponse> {
  private final Set<String> queues;
  private final List<String> prefixes;

  VisibleEffects(TailRequest request, Reply<TailResponse> reply) {
    super(reply);
    queues = new HashSet<>(request.getQueuesList());
    prefixes = request.getPrefixesList();
  }

  @Override
  public void send(TailResponse response) {
    super.send(
        response.getEffectsList().stream().allMatch(this::isVisible)
            ? response
            : visible(response));
  }

  private boolean isVisible(Effect effect) {
    return !effect.hasTask()
        || (covers(effect.getTask().getQueue()) && covers(effect.getFormerQueue()));
  }

  /** Whether the caller may read a queue, or there is none. */
  private boolean covers(String queue) {
    return queue.isEmpty()
        || (queues.isEmpty() && prefixes.isEmpty())
        || queues.contains(queue)
        || prefixes.stream().anyMatch(queue::startsWith);
  }

  private TailResponse visible(TailResponse response) {
    TailResponse.Builder visible = response.toBuilder().clearEffects();
    response
        .getEffectsList()
        .forEach(effect -> visible.addEffects(isVisible(effect) ? effect : visible(effect)));
    return visible.build();
  }

  private Effect visible(Effect effect) {
    Effect.Builder visible = effect.toBuilder();
    Task task = effect.getTask();
    if (!covers(task.getQueue())) {
      visible.setTask(Task.newBuilder().setId(task.getId()).setVersion(task.getVersion()));
    }
    if (!covers(effect.getFormerQueue())) {
      visible.clearFormerQueue();
    }
    return visible.build();
  }
}
