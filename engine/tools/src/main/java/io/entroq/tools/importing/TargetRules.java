package io.entroq.tools.importing;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.tools.terminal.CommandException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the policies that the target has before an import would do to the tasks that it inserts.
 * Immutable.
 *
 * @param hasTimeToLive whether any policy lets tasks expire
 * @param topics the queues that are topics
 */
public record TargetRules(boolean hasTimeToLive, Set<String> topics) {
  /** Rules of nothing. */
  public static final TargetRules NONE = new TargetRules(false, Set.of());

  /** Copies the set. */
  public TargetRules {
    topics = Set.copyOf(topics);
  }

  /** Reads the policies of a target; none if it has none, or may not be asked for them. */
  static TargetRules of(EntroQ target) {
    if (!target.hasPolicies()) {
      return NONE;
    }
    try {
      return of(target.policyEntries(Policies.Query.all()));
    } catch (EntroQException.PermissionDenied e) {
      return NONE;
    }
  }

  private static TargetRules of(List<Policies.Entry> entries) {
    boolean hasTimeToLive = false;
    Set<String> topics = new HashSet<>();
    for (Policies.Entry entry : entries) {
      if (entry.rules().orElse(null) instanceof QueuePolicy policy) {
        hasTimeToLive |= !policy.timeToLive().isZero();
        if (!policy.groups().isEmpty()) {
          topics.add(policy.name());
        }
      }
    }
    return new TargetRules(hasTimeToLive, topics);
  }

  /**
   * Checks that tasks inserted into a queue stay in it.
   *
   * @throws CommandException if the queue is a topic
   */
  void requireNoTopic(String queue) {
    if (topics.contains(queue)) {
      throw new CommandException(
          "queue %s has tasks at the source, but it is a topic at the target, so they would go to"
                  .formatted(queue)
              + " its groups: remove its policy at the target and run the import again, which"
              + " copies the policy after the tasks");
    }
  }
}
