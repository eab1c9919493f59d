package io.entroq.load;

import java.util.ArrayList;
import java.util.List;

/**
 * The queues of a run, with unique names.
 *
 * @param prefix of their names
 */
record QueueNames(String prefix, int count) {
  String name(int queue) {
    return prefix + queue;
  }

  /** The queue of the n-th task of the backlog. */
  String ofBacklog(long task) {
    return name((int) (task % count));
  }

  /** The queues of a caller, used in turn. Callers share queues if there are more callers. */
  List<String> of(int caller, int callers) {
    List<String> names = new ArrayList<>();
    for (int queue = caller % count; queue < count; queue += callers) {
      names.add(name(queue));
    }
    return names;
  }

  /** At most {@code most} names from a queue on. */
  String[] slice(int from, int most) {
    String[] names = new String[Math.min(most, count - from)];
    for (int i = 0; i < names.length; i++) {
      names[i] = name(from + i);
    }
    return names;
  }
}
