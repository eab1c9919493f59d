package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.service.authorization.PermittedNames.Name;
import io.entroq.service.call.Call;
import io.entroq.service.call.ForwardingReply;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows a feed no more than it asked for and its caller may read. Of a task that has moved to a
 * queue that is not shown, it tells only that it is gone, and of one that has come, not where from.
 *
 * <p>A caller may be permitted all that it asked for, or only some queues and namespaces of it.
 * While the authorizer is asked, the feed holds one response and is not ready for another. Any
 * thread; the monitor keeps responses and the end in order.
 */
final class VisibleEffects extends ForwardingReply<TailResponse> {
  private static final Logger LOG = LoggerFactory.getLogger(VisibleEffects.class);

  private final Set<String> queues;
  private final List<String> prefixes;
  private final PermittedNames names;

  /** What must be permitted as a whole; empty if each name is asked for. */
  private final List<Name> whole;

  private final Call call;

  /** Waits for the authorizer; null if nothing does. */
  private TailResponse held;

  private boolean isOver;

  /**
   * @param names knows that the whole is permitted
   * @param whole what must be permitted as a whole; empty if each name is asked for
   * @param call told when the feed is ready again, and cancelled if it may not go on
   */
  VisibleEffects(
      TailRequest request,
      PermittedNames names,
      List<Name> whole,
      Call call,
      Reply<TailResponse> reply) {
    super(reply);
    queues = new HashSet<>(request.getQueuesList());
    prefixes = request.getPrefixesList();
    this.names = names;
    this.whole = whole;
    this.call = call;
  }

  @Override
  public synchronized boolean isReady() {
    return held == null && super.isReady();
  }

  @Override
  public void send(TailResponse response) {
    Set<Name> unknown = new LinkedHashSet<>();
    synchronized (this) {
      if (isOver) {
        return;
      }
      if (whole.isEmpty()) {
        response.getEffectsList().forEach(effect -> addNames(effect, unknown));
      } else {
        unknown.addAll(whole);
      }
      unknown.removeIf(names::isKnown);
      if (unknown.isEmpty()) {
        show(response);
        return;
      }
      held = response;
    }
    var unused = names.ask(unknown).whenComplete(this::answered);
  }

  private void answered(Optional<Refusal> failure, Throwable fault) {
    Optional<Refusal> refusal = failure;
    if (fault != null) {
      LOG.error("A feed failed because of an internal error.", fault);
      refusal = Optional.of(Refusal.FAULT);
    } else if (refusal.isEmpty() && !whole.stream().allMatch(names::isPermitted)) {
      refusal =
          Optional.of(
              new Refusal(Status.Code.PERMISSION_DENIED, "tail: this is no longer permitted"));
    }
    synchronized (this) {
      if (isOver) {
        return;
      }
      if (refusal.isEmpty()) {
        show(held);
        held = null;
      }
    }
    if (refusal.isPresent()) {
      fail(refusal.get());
      call.cancel();
    } else {
      call.ready();
    }
  }

  @Override
  public synchronized void complete() {
    isOver = true;
    super.complete();
  }

  @Override
  public synchronized void fail(Refusal refusal) {
    if (!isOver) {
      isOver = true;
      super.fail(refusal);
    }
  }

  // What is visible.

  private void addNames(Effect effect, Set<Name> into) {
    if (effect.hasTask()) {
      into.add(Name.ofQueue(effect.getTask().getQueue()));
      for (String other : List.of(effect.getFormerQueue(), effect.getTask().getOrigin())) {
        if (!other.isEmpty()) {
          into.add(Name.ofQueue(other));
        }
      }
    } else {
      into.add(nameOf(effect));
    }
  }

  private static Name nameOf(Effect effect) {
    if (effect.hasDoc()) {
      return Name.ofNamespace(effect.getDoc().getNamespace());
    }
    var policy = effect.getPolicy().getPolicy();
    return policy.getKind() == PolicyKind.POLICY_PREFIX
        ? new Name(false, Permission.ofPrefix(Action.READ, policy.getName()))
        : Name.ofQueue(policy.getName());
  }

  private void show(TailResponse response) {
    if (response.getEffectsList().stream().allMatch(this::isVisible)) {
      reply.send(response);
      return;
    }
    TailResponse.Builder visible = response.toBuilder().clearEffects();
    response.getEffectsList().forEach(effect -> visible(effect).ifPresent(visible::addEffects));
    TailResponse shown = visible.build();
    if (!shown.equals(TailResponse.getDefaultInstance())) {
      reply.send(shown);
    }
  }

  private boolean isVisible(Effect effect) {
    return effect.hasTask()
        ? shows(effect.getTask().getQueue())
            && shows(effect.getFormerQueue())
            && shows(effect.getTask().getOrigin())
        : isPermitted(nameOf(effect));
  }

  /** Whether a queue is asked for and may be read, or there is none. */
  private boolean shows(String queue) {
    return queue.isEmpty() || (isAskedFor(queue) && isPermitted(Name.ofQueue(queue)));
  }

  private boolean isAskedFor(String queue) {
    return (queues.isEmpty() && prefixes.isEmpty())
        || queues.contains(queue)
        || prefixes.stream().anyMatch(queue::startsWith);
  }

  private boolean isPermitted(Name name) {
    return !whole.isEmpty() || names.isPermitted(name);
  }

  /** What may be told of an effect. */
  private Optional<Effect> visible(Effect effect) {
    if (isVisible(effect)) {
      return Optional.of(effect);
    }
    Task task = effect.getTask();
    boolean isThere = shows(task.getQueue());
    boolean wasThere = !effect.getFormerQueue().isEmpty() && shows(effect.getFormerQueue());
    if (!effect.hasTask() || (!isThere && !wasThere)) {
      return Optional.empty();
    }
    Effect.Builder visible = effect.toBuilder();
    if (!isThere) {
      visible.setTask(Task.newBuilder().setId(task.getId()).setVersion(task.getVersion()));
    } else if (!shows(task.getOrigin())) {
      visible.getTaskBuilder().clearOrigin();
    }
    if (!wasThere) {
      visible.clearFormerQueue();
    }
    return Optional.of(visible.build());
  }
}
