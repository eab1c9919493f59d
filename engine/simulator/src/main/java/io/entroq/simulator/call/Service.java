package io.entroq.simulator.call;

/** Serves requests. */
public interface Service {
  /**
   * A request has arrived; it may be one that came before. Replies go to the given end, at once or
   * at any later event, or never.
   */
  void onRequest(Request request, ReplyEnd replies);

  /** The end of the wire at which replies are handed in. */
  @FunctionalInterface
  interface ReplyEnd {
    void reply(Request request, Reply reply);
  }
}
