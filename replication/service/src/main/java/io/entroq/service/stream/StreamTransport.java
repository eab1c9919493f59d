package io.entroq.service.stream;

import io.entroq.service.translation.Refusal;

/** Carries a stream for its session. Nothing here blocks or throws. */
public interface StreamTransport {
  /** Asks for one more message from the client. Any thread. */
  void take();

  /** Whether there is room for one more message. Any thread. */
  boolean isReady();

  /**
   * Sends a message. One thread at a time.
   *
   * @param message handed over
   */
  void send(StreamMessage message);

  /** Ends the stream without an error. One thread at a time; nothing is sent after it. */
  void complete();

  /** Ends the stream with an error. One thread at a time; nothing is sent after it. */
  void end(Refusal refusal);
}
