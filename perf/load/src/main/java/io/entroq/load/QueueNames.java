package io.entroq.load;

import java.util.ArrayList;
import java.util.List;

/**
 * The queues of a run, whose names nobody else uses.
 *
 * @param prefix what their names begin with
 * @param count how many there are
 */
record QueueNames(String prefix, int count) {
  /** Name of the n-th queue, from 0. */
  String name(int queue) {
    return prefix + queue;
  }

  /** Where the n-th task of a backlog goes. */
  String ofBacklog(long task) {
    return name((int) (task % count));
  }

  /**
   * The queues that a caller works on, one cycle on each: several have one together if there are
   * more callers than queues.
   */
  List<String> of(int caller, int callers) {
    List<String> names = new ArrayList<>();
    for (int queue = caller % count; queue < count; queue += callers) {
      names.add(name(queue));
    }
    return names;
  }

  /** From the given queue on, at most so many. */
  String[] slice(int from, int most) {
    String[] names = new String[Math.min(most, count - from)];
    for (int i = 0; i < names.length; i++) {
      names[i] = name(from + i);
    }
    return names;
  }
}
