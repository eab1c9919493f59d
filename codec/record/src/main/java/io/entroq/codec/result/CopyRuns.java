package io.entroq.codec.result;

import org.agrona.DirectBuffer;

/**
 * Finds the tasks of one insert among the inserted tasks of a result. An insert into a topic has a
 * run of them, one for each group, in the order of the groups. These name their queues: the topic,
 * a slash and the group. Other inserts have one task, without a queue.
 */
public final class CopyRuns {
  private static final byte SLASH = '/';

  private CopyRuns() {}

  /** Whether an inserted task is a copy of an insert into a topic. */
  public static boolean isCopy(TaskDecoder inserted) {
    return inserted.queueLength() > 0;
  }

  /**
   * The position after the tasks of an insert.
   *
   * @param from the position of the first
   */
  public static int end(ResultDecoder result, int from) {
    TaskDecoder first = result.inserted(from);
    int end = from + 1;
    if (isCopy(first)) {
      int topic = topicLength(result.buffer(), first);
      // The next insert into the same topic begins with the same group.
      while (end < result.insertedCount()
          && topicLength(result.buffer(), result.inserted(end)) == topic
          && areSame(result.buffer(), first, result.inserted(end), topic)
          && !isSameQueue(result.buffer(), first, result.inserted(end))) {
        end++;
      }
    }
    return end;
  }

  /** The length of the name before the last slash, or -1 if it has none. */
  private static int topicLength(DirectBuffer buffer, TaskDecoder task) {
    int length = task.queueLength() - 1;
    while (length >= 0 && buffer.getByte(task.queueOffset() + length) != SLASH) {
      length--;
    }
    return length;
  }

  private static boolean isSameQueue(DirectBuffer buffer, TaskDecoder a, TaskDecoder b) {
    return a.queueLength() == b.queueLength() && areSame(buffer, a, b, a.queueLength());
  }

  private static boolean areSame(DirectBuffer buffer, TaskDecoder a, TaskDecoder b, int length) {
    for (int i = 0; i < length; i++) {
      if (buffer.getByte(a.queueOffset() + i) != buffer.getByte(b.queueOffset() + i)) {
        return false;
      }
    }
    return true;
  }
}
