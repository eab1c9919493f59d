package io.entroq.simulator.random;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.simulator.text.CommandText;

/** One step of a run of random commands. */
public sealed interface Action {
  /** The log time at which it happens. */
  long timeMs();

  /** A command arrives. */
  record Command(Message payload, long timeMs) implements Action {
    @Override
    public String toString() {
      return timeMs + " " + CommandText.of(payload);
    }
  }

  /** Tasks, queues, docs or namespaces are listed. */
  record Read(Message query, long timeMs) implements Action {
    @Override
    public String toString() {
      return timeMs + " " + CommandText.of(query);
    }
  }

  /**
   * Invalid bytes, or another command than was sent, arrive. They are prepared and never logged.
   *
   * @param original the command that they were made from
   */
  record Noise(Message original, ByteString bytes, long timeMs) implements Action {
    @Override
    public String toString() {
      return timeMs + " noise like " + CommandText.of(original);
    }
  }
}
