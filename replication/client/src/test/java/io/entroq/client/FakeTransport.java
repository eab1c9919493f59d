package io.entroq.client;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.entroq.client.transport.Exchange;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Listing;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.Receiver;
import io.entroq.client.transport.Tail;
import io.entroq.client.transport.TailReceiver;
import io.entroq.client.transport.Transport;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeResponse;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Records requests for the test to answer; answers only the query for the server's features, unless
 * it is away.
 */
final class FakeTransport implements Transport {
  private final long features;
  private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
  private final BlockingQueue<FakeListing> listings = new LinkedBlockingQueue<>();
  private final BlockingQueue<FakeTail> tails = new LinkedBlockingQueue<>();
  private volatile int servers = 1;
  private volatile boolean isAway;
  private volatile boolean isWithoutToken;

  FakeTransport(long features) {
    this.features = features;
  }

  /** A request that has been sent. */
  record Sent(Method<?, ?> method, Message request, long timeoutMs, Receiver<Message> receiver) {
    boolean asksForFeatures() {
      return method == (Object) Method.TIME;
    }

    void answer(Message answer) {
      receiver.onAnswer(answer);
    }

    void fail(Status.Code code, String message, boolean isSent) {
      receiver.onFailure(new Failure(code, message, List.of(), isSent));
    }

    void fail(Status.Code code, Message detail) {
      receiver.onFailure(new Failure(code, "dependency error", List.of(Any.pack(detail)), true));
    }
  }

  /** From now on the test also answers the query for features. */
  void away() {
    isAway = true;
  }

  /** From now on each request fails as if the token supplier had. */
  void loseToken() {
    isWithoutToken = true;
  }

  /** What a server says that is there. */
  TimeResponse features() {
    return TimeResponse.newBuilder().setTimeMs(1).setFeatures(features).build();
  }

  /** Waits for the next request. */
  Sent next() throws InterruptedException {
    Sent next = sent.poll(10, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("nothing was sent");
    }
    return next;
  }

  /** Number of requests sent that the test has not taken. */
  int waiting() {
    return sent.size();
  }

  @Override
  @SuppressWarnings("unchecked")
  public <Q extends Message, A extends Message> Exchange send(
      Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver) {
    if (isWithoutToken) {
      receiver.onFailure(new Failure(Status.Code.UNAUTHENTICATED, "no token", List.of(), false));
      return () -> {};
    }
    if (method == (Object) Method.TIME && !isAway) {
      receiver.onAnswer((A) features());
    } else {
      sent.add(new Sent(method, request, timeoutMs, (Receiver<Message>) (Receiver<?>) receiver));
    }
    return () -> {};
  }

  @Override
  public Listing<TasksResponse> list(TasksRequest request) {
    FakeListing listing = new FakeListing(request);
    listings.add(listing);
    return listing;
  }

  @Override
  public Tail tail(TailRequest request, int skipped, TailReceiver receiver) {
    FakeTail tail = new FakeTail(request, skipped, receiver);
    tails.add(tail);
    return tail;
  }

  @Override
  public int servers() {
    return servers;
  }

  void servers(int number) {
    servers = number;
  }

  /** Waits for the next feed. */
  FakeTail nextTail() throws InterruptedException {
    FakeTail next = tails.poll(10, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no feed was begun");
    }
    return next;
  }

  /** Number of feeds begun that the test has not taken. */
  int waitingTails() {
    return tails.size();
  }

  /** Waits for the next listing. */
  FakeListing nextListing() throws InterruptedException {
    FakeListing next = listings.poll(10, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no listing was begun");
    }
    return next;
  }

  @Override
  public void close() {}
}
