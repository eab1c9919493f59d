package io.entroq.workers;

import java.io.IOException;

/**
 * Carries messages between a {@link WorkGateway} and its program. Each is one JSON object.
 *
 * <p>An implementation is thread-safe. Whoever made it closes it, after the gateway has ended.
 */
public interface GatewayTransport {
  /**
   * Starts to deliver what the program sends. Called once, maybe after the first {@link #send}.
   *
   * @param receiver called by one thread at a time; its methods do not block
   */
  void start(Receiver receiver);

  /**
   * Sends a message. May return before the program has got it.
   *
   * @param json one JSON object in UTF-8, without line breaks; not changed afterwards
   * @throws IOException if the program has hung up
   */
  void send(byte[] json) throws IOException;

  /** What a gateway does with what comes from its program. */
  interface Receiver {
    /**
     * A message has come.
     *
     * @param json all of it, not changed afterwards; if it is not JSON, the gateway ends
     */
    void onMessage(byte[] json);

    /**
     * The program has hung up: no message comes any more.
     *
     * @param reason for people
     */
    void onHangUp(String reason);

    /** Whether the program is to answer something. It may be busy with that, and so be silent. */
    boolean isAnswerDue();
  }
}
