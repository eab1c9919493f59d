package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;

/**
 * Sends each request to a server once, or reports that it was not sent, for example because there
 * is no token. Any thread.
 */
public interface Transport extends AutoCloseable {
  /**
   * Sends a request. A server sees the requests and cancellations of one thread on one connection
   * in order.
   *
   * @param timeoutMs after this time it fails with DEADLINE_EXCEEDED; above zero
   * @param receiver called once, possibly before this returns
   */
  <Q extends Message, A extends Message> Exchange send(
      Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver);

  /** Starts a listing, which may have failed already. */
  Listing<TasksResponse> list(TasksRequest request);

  /**
   * Starts a feed. Nothing is sent before it is asked for.
   *
   * @param skipped how many servers to pass over, from the one in use on; less than {@link
   *     #servers}
   * @param receiver is called on transport threads
   * @throws FailedException if it cannot be sent; the receiver is then not called
   */
  Tail tail(TailRequest request, int skipped, TailReceiver receiver);

  /** The number of servers. */
  int servers();

  /** The endpoints with their failures, for messages. Empty if there is only one. */
  default String endpointText() {
    return "";
  }

  /** Waits a while for requests in flight, then closes the connections. Later requests fail. */
  @Override
  void close();
}
