package io.entroq.service.stream;

import io.entroq.service.translation.Refusal;

/** Carries a stream for its session. Nothing here blocks or throws. */
public interface StreamTransport {
  /** Asks for one more message of the client's. Any thread. */
  void take();

  /** Whether one more message may be sent without piling up memory. Any thread. */
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
