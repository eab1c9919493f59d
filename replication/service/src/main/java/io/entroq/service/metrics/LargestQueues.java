package io.entroq.service.metrics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Keeps the largest of many queues and adds up the rest. One thread at a time. */
final class LargestQueues {
  /** The name of the rest. A real queue of that name is included in it. */
  static final String REST = "(other queues)";

  private final int max;
  private final PriorityQueue<QueueSize> largest =
      new PriorityQueue<>(
          Comparator.comparingLong(QueueSize::total)
              .thenComparing(QueueSize::name, Comparator.reverseOrder()));
  private QueueSize rest = QueueSize.none(REST);
  private int count;

  LargestQueues(int max) {
    this.max = max;
  }

  void add(QueueSize queue) {
    count++;
    if (queue.name().equals(REST)) {
      // A duplicate name would make the page invalid.
      rest = rest.with(queue);
      return;
    }
    largest.add(queue);
    if (largest.size() > max) {
      rest = rest.with(largest.remove());
    }
  }

  int count() {
    return count;
  }

  /** The largest queues, and the rest if there is any. */
  List<QueueSize> toList() {
    List<QueueSize> queues = new ArrayList<>(largest);
    if (count > largest.size()) {
      queues.add(rest);
    }
    return queues;
  }
}
