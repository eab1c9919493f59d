package io.entroq.service.insight;

import io.entroq.codec.wire.edge.TaskFailure;
import java.util.ArrayList;
import java.util.List;

/** The newest failures, up to a number. Not thread-safe. */
final class FailureRing {
  private final TaskFailure[] ring;
  private long count;

  FailureRing(int capacity) {
    ring = new TaskFailure[capacity];
  }

  void add(TaskFailure failure) {
    ring[(int) (count++ % ring.length)] = failure;
  }

  /** A task has died, perhaps of the newest failure. */
  void die(TaskFailure death) {
    int place = Math.floorMod(count - 1, ring.length);
    TaskFailure newest = ring[place];
    if (newest != null
        && newest.getTaskId().equals(death.getTaskId())
        && newest.getQueue().equals(death.getQueue())) {
      ring[place] = newest.toBuilder().setDeadQueue(death.getDeadQueue()).build();
    } else {
      add(death);
    }
  }

  /** The newest first. */
  List<TaskFailure> newest(int limit) {
    List<TaskFailure> found = new ArrayList<>();
    for (long i = count - 1; i >= Math.max(0, count - ring.length) && found.size() < limit; i--) {
      found.add(ring[(int) (i % ring.length)]);
    }
    return found;
  }
}
