package io.entroq.simulator.call;

/** Serves requests. */
public interface Service {
  /**
   * A request has arrived, possibly a repeated one. Replies go to the given end: during the call,
   * in a later event, or never.
   */
  void onRequest(Request request, ReplyEnd replies);

  /** Takes replies from a service. */
  @FunctionalInterface
  interface ReplyEnd {
    void reply(Request request, Reply reply);
  }
}
