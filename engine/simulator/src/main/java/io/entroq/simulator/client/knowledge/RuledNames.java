package io.entroq.simulator.client.knowledge;

import io.entroq.simulator.virtual.SeededRandom;
import java.util.List;

/**
 * The names of queues with policies, as numbers from the first on: those that tasks are inserted
 * into, that of dead tasks, that of expired ones, then all of these with the suffix of queues for
 * dead tasks, a prefix, and limiters.
 *
 * @param targets queues that tasks are inserted into
 * @param dead the queue for dead tasks that policies name
 * @param late the queue for expired tasks
 * @param prefix no queue: what the names of many of them begin with
 * @param limiters their names
 */
public record RuledNames(
    int first,
    List<String> targets,
    String dead,
    String late,
    String prefix,
    List<String> limiters) {
  private static final String DEAD_SUFFIX = "/err";

  /** How many queues there are. */
  public int queueCount() {
    return 2 * ownCount();
  }

  /** How many have a name of their own, without the suffix of queues for dead tasks. */
  private int ownCount() {
    return targets.size() + 2;
  }

  /** The number after the last one. */
  int end() {
    return prefixNumber() + 1 + limiters.size();
  }

  String name(int number) {
    if (number > prefixNumber()) {
      return limiters.get(number - prefixNumber() - 1);
    }
    if (number == prefixNumber()) {
      return prefix;
    }
    int which = number - first;
    return which < ownCount() ? own(which) : own(which - ownCount()) + DEAD_SUFFIX;
  }

  private String own(int which) {
    if (which < targets.size()) {
      return targets.get(which);
    }
    return which == targets.size() ? dead : late;
  }

  public int prefixNumber() {
    return first + queueCount();
  }

  public int deadNumber() {
    return first + targets.size();
  }

  public int lateNumber() {
    return deadNumber() + 1;
  }

  /** The number of a name that tasks are inserted into. */
  public int number(String target) {
    return first + targets.indexOf(target);
  }

  /** A queue that tasks are inserted into. */
  public int anyTarget(SeededRandom random) {
    return first + random.below(targets.size());
  }

  public int anyLimiter(SeededRandom random) {
    return prefixNumber() + 1 + random.below(limiters.size());
  }
}
