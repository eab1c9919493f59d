package io.entroq.engine.feed;

import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.Ids;
import io.entroq.engine.gateway.FeedRequest;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which effects a reader wants to see. Immutable. */
final class EffectFilter {
  /** What determines a task. */
  private record TaskKey(long high, long low) {}

  private final NameSet queues;
  private final NameSet prefixes;
  private final NameSet namespaces;
  private final boolean isOfAllNames;
  private final int kinds;
  private final List<IdKey> ids;
  private final Set<TaskKey> tasks;

  /**
   * @throws io.entroq.codec.wire.InvalidIdException if an id of a task cannot be one
   */
  EffectFilter(FeedRequest request) {
    queues = new NameSet(request.queues());
    prefixes = new NameSet(request.prefixes());
    namespaces = new NameSet(request.namespaces());
    isOfAllNames = queues.isEmpty() && prefixes.isEmpty() && namespaces.isEmpty();
    kinds = kinds(request.kinds());
    ids = request.taskIds().stream().map(Ids::ofV1).toList();
    tasks =
        ids.stream()
            .map(id -> new TaskKey(id.high(), id.low()))
            .collect(Collectors.toUnmodifiableSet());
  }

  private static int kinds(Set<Integer> wanted) {
    if (wanted.isEmpty()) {
      return -1;
    }
    int bits = 0;
    for (int kind : wanted) {
      // An unknown kind is never told.
      bits |= kind >= 0 && kind < Integer.SIZE ? 1 << kind : 0;
    }
    return bits;
  }

  /** The ids of the tasks to which it is limited; none if it is not. */
  Collection<IdKey> tasks() {
    return ids;
  }

  boolean matches(EffectReader effect) {
    return (kinds & 1 << effect.kind()) != 0 && isOfNames(effect) && isOfTasks(effect);
  }

  private boolean isOfTasks(EffectReader effect) {
    return tasks.isEmpty()
        || (effect.isOfTask() && tasks.contains(new TaskKey(effect.idHigh(), effect.idLow())));
  }

  private boolean isOfNames(EffectReader effect) {
    return isOfAllNames
        || isOfQueues(effect, EffectParts.QUEUE)
        || isOfQueues(effect, EffectParts.FORMER_QUEUE)
        || (effect.isOfDocs() && has(namespaces, effect, EffectParts.NAMESPACE));
  }

  private boolean isOfQueues(EffectReader effect, int part) {
    return effect.has(part)
        && (has(queues, effect, part)
            || prefixes.hasPrefixOf(effect.buffer(), effect.offset(part), effect.length(part)));
  }

  private static boolean has(NameSet names, EffectReader effect, int part) {
    return names.has(effect.buffer(), effect.offset(part), effect.length(part));
  }
}
