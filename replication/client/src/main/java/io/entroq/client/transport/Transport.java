package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;

/** Takes each request to a server once, or says that it has not come to that. Any thread. */
public interface Transport extends AutoCloseable {
  /**
   * Sends a request.
   *
   * <p>What one thread sends, and cancels, over one connection a server sees in this order.
   *
   * @param timeoutMs after which it ends with DEADLINE_EXCEEDED; above zero
   * @param receiver told once, perhaps before this returns
   */
  <Q extends Message, A extends Message> Exchange send(
      Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver);

  /** Begins a listing that has many messages for an answer. */
  Listing<TasksResponse> list(TasksRequest request);

  /** The addresses of servers and what speaks against each; for people. Empty if that is known. */
  default String where() {
    return "";
  }

  /**
   * Lets what is under way end, for a while, and then cuts the connections. What is sent later
   * fails.
   */
  @Override
  void close();
}
