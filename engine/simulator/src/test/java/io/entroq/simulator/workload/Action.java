package io.entroq.simulator.workload;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.simulator.check.CommandText;

/** One thing that happens in a hunt. */
public sealed interface Action {
  /**
   * A command comes in.
   *
   * @param payload what a record of it would hold
   * @param timeMs the log time
   */
  record Command(Message payload, long timeMs) implements Action {
    @Override
    public String toString() {
      return timeMs + " " + CommandText.of(payload);
    }
  }

  /**
   * Somebody looks.
   *
   * @param query a ListTasks or a ListQueues
   * @param timeMs the time at which he looks
   */
  record Read(Message query, long timeMs) implements Action {
    @Override
    public String toString() {
      return timeMs + " " + CommandText.of(query);
    }
  }

  /**
   * Bytes come in that are no command, or not the one that was meant. They are looked at and never
   * logged.
   *
   * @param meant what they were made from
   * @param bytes what they are
   * @param timeMs the log time
   */
  record Noise(Message meant, ByteString bytes, long timeMs) implements Action {
    @Override
    public String toString() {
      return timeMs + " noise like " + CommandText.of(meant);
    }
  }

  /**
   * The engine is thrown away and built anew from its log.
   *
   * @param shape chooses the capacities of the new one
   */
  record Restart(int shape) implements Action {}
}
