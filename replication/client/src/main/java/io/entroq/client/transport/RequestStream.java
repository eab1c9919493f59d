package io.entroq.client.transport;

import io.entroq.codec.wire.edge.StreamHello;
import io.entroq.codec.wire.edge.StreamRequests;
import io.entroq.codec.wire.edge.StreamResponse;
import io.entroq.codec.wire.edge.StreamResponses;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One stream to a server, from its hello to its end. Any thread.
 *
 * <p>What is ready goes in one message. Whoever finds a message on its way out adds to the next
 * one, which the same thread sends; and what answers give rise to goes together when all of their
 * message have been told of.
 */
final class RequestStream extends ClientCall.Listener<StreamResponses> {
  /** A message to which nothing more is added. */
  private static final int MESSAGE_BYTES = 64 << 10;

  private final ClientCall<StreamRequests, StreamResponses> call;
  private final String token;
  private final Consumer<Status> onEnd;
  private final Map<Long, StreamExchange<?>> open = new HashMap<>();
  private final Deque<StreamExchange<?>> waiting = new ArrayDeque<>();
  private final List<Long> cancels = new ArrayList<>();
  private long lastNumber;

  /** How many may be open; 0: the server has not said so yet. */
  private int window;

  private boolean isSending;
  private boolean isTelling;
  private boolean isRetired;
  private boolean isHalfClosed;
  private boolean isEnded;

  /**
   * @param token what the stream was let in by
   * @param onEnd told what it has ended with
   */
  RequestStream(
      ClientCall<StreamRequests, StreamResponses> call, String token, Consumer<Status> onEnd) {
    this.call = call;
    this.token = token;
    this.onEnd = onEnd;
  }

  RequestStream start(Metadata headers) {
    call.start(this, headers);
    call.request(2);
    call.sendMessage(
        StreamRequests.newBuilder().setHello(StreamHello.getDefaultInstance()).build());
    return this;
  }

  /** Whether it takes requests, with the right of a token. */
  synchronized boolean takes(String newToken) {
    return !isEnded && !isRetired && token.equals(newToken);
  }

  /** Takes a request on its way; false if it takes none any more. */
  boolean send(StreamExchange<?> exchange) {
    synchronized (this) {
      if (isEnded || isRetired) {
        return false;
      }
      exchange.over(this);
      waiting.add(exchange);
    }
    flush();
    return true;
  }

  /** Nobody waits for an answer any more. */
  void cancel(StreamExchange<?> exchange) {
    boolean isSent;
    synchronized (this) {
      isSent = open.containsKey(exchange.number());
      if (isSent && exchange.isWaiting()) {
        cancels.add(exchange.number());
      }
    }
    if (isSent && exchange.isWaiting()) {
      flush();
    } else {
      exchange.fail(Status.Code.CANCELLED, "nobody waits for the answer any more", isSent);
    }
  }

  /** Ends what has come to its deadline. */
  void expire(long nowNs) {
    List<StreamExchange<?>> sent;
    List<StreamExchange<?>> unsent;
    synchronized (this) {
      sent = late(open.values(), nowNs);
      unsent = late(waiting, nowNs);
      waiting.removeAll(unsent);
      sent.stream()
          .filter(StreamExchange::isWaiting)
          .forEach(exchange -> cancels.add(exchange.number()));
    }
    sent.forEach(exchange -> expire(exchange, true));
    unsent.forEach(exchange -> expire(exchange, false));
    flush();
  }

  private static List<StreamExchange<?>> late(Collection<StreamExchange<?>> all, long nowNs) {
    List<StreamExchange<?>> late = new ArrayList<>();
    for (StreamExchange<?> exchange : all) {
      if (exchange.isLate(nowNs) && !exchange.isTold()) {
        late.add(exchange);
      }
    }
    return late;
  }

  private static void expire(StreamExchange<?> exchange, boolean isSent) {
    exchange.fail(Status.Code.DEADLINE_EXCEEDED, "there was no answer in time", isSent);
  }

  /** Takes no more requests, and ends when all are answered. */
  void retire() {
    synchronized (this) {
      isRetired = true;
    }
    flush();
  }

  private void flush() {
    StreamRequests message = next();
    while (message != null) {
      call.sendMessage(message);
      synchronized (this) {
        isSending = false;
      }
      message = next();
    }
  }

  /** What is to be sent now, by this thread and before any other sends; null: nothing. */
  private synchronized StreamRequests next() {
    if (isSending || isTelling || isEnded || isHalfClosed || window == 0 || !call.isReady()) {
      return null;
    }
    StreamRequests.Builder message = StreamRequests.newBuilder();
    int bytes = 0;
    while (!waiting.isEmpty() && open.size() < window && bytes < MESSAGE_BYTES) {
      StreamExchange<?> exchange = waiting.poll();
      if (!exchange.isTold()) {
        long number = ++lastNumber;
        message.addRequests(exchange.sentAs(number));
        open.put(number, exchange);
        bytes += exchange.bytes();
      }
    }
    message.addAllCancels(cancels);
    cancels.clear();
    if (message.getRequestsCount() + message.getCancelsCount() > 0) {
      isSending = true;
      return message.build();
    }
    if (isRetired && waiting.isEmpty()) {
      isHalfClosed = true;
      call.halfClose();
    }
    return null;
  }

  @Override
  public void onMessage(StreamResponses message) {
    List<StreamExchange<?>> answered = new ArrayList<>(message.getResponsesCount());
    synchronized (this) {
      isTelling = true;
      if (message.hasWelcome()) {
        window = message.getWelcome().getWindow();
      }
      for (StreamResponse response : message.getResponsesList()) {
        answered.add(open.remove(response.getNumber()));
      }
    }
    try {
      for (int i = 0; i < answered.size(); i++) {
        if (answered.get(i) != null) {
          answered.get(i).tell(message.getResponses(i));
        }
      }
    } finally {
      synchronized (this) {
        isTelling = false;
      }
    }
    flush();
    call.request(1);
  }

  @Override
  public void onReady() {
    flush();
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    List<StreamExchange<?>> sent;
    List<StreamExchange<?>> unsent;
    synchronized (this) {
      isEnded = true;
      sent = new ArrayList<>(open.values());
      unsent = new ArrayList<>(waiting);
      open.clear();
      waiting.clear();
    }
    onEnd.accept(status);
    Failure failure = Failures.of(status, trailers, true);
    // Whatever it was that a stream has ended with, it was no word on a single request.
    String message = "the stream has ended: " + failure;
    sent.forEach(exchange -> exchange.fail(Status.Code.UNAVAILABLE, message, true));
    unsent.forEach(exchange -> exchange.fail(Status.Code.UNAVAILABLE, message, false));
  }
}
