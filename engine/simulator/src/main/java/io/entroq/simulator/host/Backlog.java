package io.entroq.simulator.host;

import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service.ReplyEnd;
import java.util.ArrayDeque;

/** Requests that have arrived while the engine was busy, in their order; bounded. One thread. */
final class Backlog {
  private static final int REQUESTS_MAX = 4_096;

  private final ArrayDeque<Request> requests = new ArrayDeque<>();
  private final ArrayDeque<ReplyEnd> ends = new ArrayDeque<>();

  boolean isEmpty() {
    return requests.isEmpty();
  }

  boolean isFull() {
    return requests.size() >= REQUESTS_MAX;
  }

  void add(Request request, ReplyEnd replies) {
    requests.add(request);
    ends.add(replies);
  }

  /** Where replies to the oldest request go; before {@link #take}. */
  ReplyEnd end() {
    return ends.poll();
  }

  /** The oldest request. */
  Request take() {
    return requests.poll();
  }
}
