package io.entroq.client.transport;

import io.entroq.codec.wire.edge.StreamHello;
import io.entroq.codec.wire.edge.StreamRequests;
import io.entroq.codec.wire.edge.StreamResponse;
import io.entroq.codec.wire.edge.StreamResponses;
import io.entroq.codec.wire.edge.StreamWelcome;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One request stream to a server. Any thread.
 *
 * <p>Each message carries all requests that are ready. One thread sends at a time; requests that
 * arrive meanwhile go into its next message. Requests that result from a message's responses are
 * sent together after all of them have been delivered.
 */
final class RequestStream extends ClientCall.Listener<StreamResponses> {
  /** The longest request on a stream, so that it does not delay others for long. */
  static final int REQUEST_BYTES_MAX = 1 << 20;

  /** A message of this size gets no more requests. */
  private static final int MESSAGE_BYTES = 64 << 10;

  /** Upper bound of a request's overhead in a message. */
  private static final int FRAME_BYTES = 32;

  /** Time for the server's welcome; it never comes through an intermediary that buffers streams. */
  private static final long WELCOME_NS = TimeUnit.SECONDS.toNanos(5);

  /** Limit of waiting claims before the welcome: half of the servers' default window. */
  private static final int INITIAL_CLAIMS_MAX = 512;

  private final ClientCall<StreamRequests, StreamResponses> call;
  private final String token;
  private final Owner owner;
  private final long startNs;
  private final ExchangeTable open = new ExchangeTable();
  private final Deque<StreamExchange<?, ?>> waiting = new ArrayDeque<>();
  private final List<StreamExchange<?, ?>> cancels = new ArrayList<>();

  /** The maximum number of open requests; 0 before the welcome. */
  private int window;

  private int messageBytes = MESSAGE_BYTES;
  private int requestBytesMax = REQUEST_BYTES_MAX;

  /** Number of waiting claims, sent or not. */
  private int claims;

  private int claimsMax = INITIAL_CLAIMS_MAX;
  private boolean isSending;
  private boolean isDispatching;
  private boolean isRetired;
  private boolean sendsNoMore;
  private boolean isEnded;

  /**
   * @param token authorizes the stream
   * @param startNs the current time
   */
  RequestStream(
      ClientCall<StreamRequests, StreamResponses> call, String token, long startNs, Owner owner) {
    this.call = call;
    this.token = token;
    this.startNs = startNs;
    this.owner = owner;
  }

  RequestStream start(Metadata headers) {
    call.start(this, headers);
    call.request(2);
    call.sendMessage(
        StreamRequests.newBuilder().setHello(StreamHello.getDefaultInstance()).build());
    return this;
  }

  /** Whether it accepts requests. */
  synchronized boolean isOpen() {
    return !isEnded && !isRetired;
  }

  /** Whether it accepts requests with a token. */
  boolean accepts(String newToken) {
    return isOpen() && token.equals(newToken) && owner.isInUse();
  }

  /** Whether its server is still in use. */
  boolean isInUse() {
    return owner.isInUse();
  }

  /**
   * Sends a request, over the stream or as a call of its own.
   *
   * @return false if the stream accepts no more requests
   */
  boolean send(StreamExchange<?, ?> exchange) {
    boolean isQueued;
    synchronized (this) {
      if (isEnded || isRetired) {
        return false;
      }
      isQueued = enqueue(exchange);
    }
    if (isQueued) {
      flush();
    } else {
      owner.sendAsCall(exchange);
    }
    return true;
  }

  /**
   * Queues a request, unless it must go as a call. Waiting claims leave half of the window to
   * requests that are answered soon. A message longer than the server accepts would end the stream
   * for all.
   */
  private boolean enqueue(StreamExchange<?, ?> exchange) {
    if (exchange.bytes() > requestBytesMax || (exchange.isWaitingClaim() && claims >= claimsMax)) {
      return false;
    }
    claims += exchange.isWaitingClaim() ? 1 : 0;
    exchange.attach(this);
    waiting.add(exchange);
    return true;
  }

  private void onRemoved(StreamExchange<?, ?> exchange) {
    claims -= exchange.isWaitingClaim() ? 1 : 0;
  }

  /** Cancels a request. */
  void cancel(StreamExchange<?, ?> exchange) {
    boolean isSent;
    synchronized (this) {
      isSent = exchange.number() != 0;
      if (isSent) {
        addCancel(exchange);
      } else if (waiting.remove(exchange)) {
        onRemoved(exchange);
      }
    }
    // The server answers a canceled claim; other requests are not canceled there.
    if (isSent && exchange.isWaitingClaim()) {
      flush();
    } else {
      exchange.fail(Status.Code.CANCELLED, "the caller canceled the request", isSent);
    }
  }

  private void addCancel(StreamExchange<?, ?> exchange) {
    if (exchange.isWaitingClaim()) {
      cancels.add(exchange);
    }
  }

  /** Fails requests whose deadline has passed. */
  void expire(long nowNs) {
    List<StreamExchange<?, ?>> sent;
    List<StreamExchange<?, ?>> unsent;
    synchronized (this) {
      if (open.size() == 0 && waiting.isEmpty()) {
        return;
      }
      sent = late(open.all(), nowNs);
      unsent = late(waiting, nowNs);
      waiting.removeAll(unsent);
      unsent.forEach(this::onRemoved);
      sent.forEach(this::addCancel);
    }
    sent.forEach(exchange -> expire(exchange, true));
    unsent.forEach(exchange -> expire(exchange, false));
    flush();
  }

  private static List<StreamExchange<?, ?>> late(Collection<StreamExchange<?, ?>> all, long nowNs) {
    List<StreamExchange<?, ?>> late = new ArrayList<>();
    for (StreamExchange<?, ?> exchange : all) {
      if (exchange.isLate(nowNs) && !exchange.isCompleted()) {
        late.add(exchange);
      }
    }
    return late;
  }

  private static void expire(StreamExchange<?, ?> exchange, boolean isSent) {
    exchange.fail(Status.Code.DEADLINE_EXCEEDED, "the server did not answer in time", isSent);
  }

  /** Accepts no more requests, and closes the stream when all are answered. */
  void retire() {
    synchronized (this) {
      isRetired = true;
    }
    flush();
  }

  /** Cancels the stream if the server's welcome is overdue. */
  void cancelIfNotWelcomed(long nowNs) {
    synchronized (this) {
      if (window > 0 || isEnded || nowNs - startNs < WELCOME_NS) {
        return;
      }
      isRetired = true;
      sendsNoMore = true;
    }
    call.cancel("the server sent no welcome", null);
  }

  private void flush() {
    StreamRequests message = next(false);
    while (message != null) {
      call.sendMessage(message);
      message = next(true);
    }
  }

  /**
   * The next message for this thread to send; null if there is none, or another thread sends.
   *
   * @param hasSent whether this thread has just sent the previous message
   */
  private synchronized StreamRequests next(boolean hasSent) {
    isSending &= !hasSent;
    if (isSending || isDispatching || isEnded || sendsNoMore || window == 0 || !call.isReady()) {
      return null;
    }
    StreamRequests message = buildMessage();
    if (message != null) {
      isSending = true;
    } else if (isRetired && waiting.isEmpty() && open.size() == 0) {
      // Not earlier, because open claims may have to be canceled.
      sendsNoMore = true;
      call.halfClose();
    }
    return message;
  }

  private StreamRequests buildMessage() {
    if (cancels.isEmpty() && (waiting.isEmpty() || open.size() >= window)) {
      return null;
    }
    StreamRequests.Builder message = StreamRequests.newBuilder();
    for (StreamExchange<?, ?> exchange : cancels) {
      // Otherwise it has been answered, and its number may be reused.
      if (open.get(exchange.number()) == exchange) {
        message.addCancels(exchange.number());
      }
    }
    cancels.clear();
    int bytes = 0;
    while (!waiting.isEmpty() && open.size() < window && bytes < messageBytes) {
      StreamExchange<?, ?> exchange = waiting.poll();
      if (exchange.isCompleted()) {
        onRemoved(exchange);
      } else {
        message.addRequests(exchange.toMessage(open.add(exchange)));
        bytes += exchange.bytes() + FRAME_BYTES;
      }
    }
    return message.getRequestsCount() + message.getCancelsCount() > 0 ? message.build() : null;
  }

  @Override
  public void onMessage(StreamResponses message) {
    List<StreamExchange<?, ?>> answered = new ArrayList<>(message.getResponsesCount());
    List<StreamExchange<?, ?>> rejected = List.of();
    synchronized (this) {
      isDispatching = true;
      if (message.hasWelcome()) {
        rejected = onWelcome(message.getWelcome());
      }
      for (StreamResponse response : message.getResponsesList()) {
        StreamExchange<?, ?> exchange = open.remove(response.getNumber());
        if (exchange != null) {
          onRemoved(exchange);
        }
        answered.add(exchange);
      }
    }
    owner.notePosition(position(message));
    try {
      rejected.forEach(owner::sendAsCall);
      for (int i = 0; i < answered.size(); i++) {
        if (answered.get(i) != null) {
          answered.get(i).onResponse(message.getResponses(i));
        }
      }
    } finally {
      synchronized (this) {
        isDispatching = false;
      }
    }
    flush();
    call.request(1);
  }

  private static long position(StreamResponses message) {
    long position = 0;
    for (StreamResponse response : message.getResponsesList()) {
      position = Math.max(position, response.getPosition());
    }
    return position;
  }

  /** Applies the server's limits, and returns waiting requests that exceed them. */
  private List<StreamExchange<?, ?>> onWelcome(StreamWelcome welcome) {
    window = Math.max(0, welcome.getWindow());
    claimsMax = window / 2;
    if (welcome.getMessageBytesMax() > 0) {
      requestBytesMax = Math.min(REQUEST_BYTES_MAX, welcome.getMessageBytesMax() / 2);
      messageBytes = Math.min(MESSAGE_BYTES, welcome.getMessageBytesMax() / 4);
    }
    List<StreamExchange<?, ?>> all = new ArrayList<>(waiting);
    waiting.clear();
    claims = 0;
    all.removeIf(this::enqueue);
    return all;
  }

  @Override
  public void onReady() {
    flush();
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    boolean isRefused;
    List<StreamExchange<?, ?>> sent;
    List<StreamExchange<?, ?>> unsent;
    synchronized (this) {
      isEnded = true;
      isRefused = window == 0 && status.getCode() != Status.Code.UNAVAILABLE;
      sent = open.all();
      unsent = new ArrayList<>(waiting);
      waiting.clear();
    }
    owner.onEnded(this, status, isRefused);
    if (isRefused) {
      unsent.forEach(owner::sendAsCall);
      return;
    }
    // The status is about the stream, not about single requests.
    String message = "the stream has ended: " + Failure.of(status, trailers, true);
    sent.forEach(exchange -> exchange.fail(Status.Code.UNAVAILABLE, message, true));
    unsent.forEach(exchange -> exchange.fail(Status.Code.UNAVAILABLE, message, false));
  }

  /** The stream's owner. Any thread. */
  interface Owner {
    /** Whether the stream's server is in use. */
    boolean isInUse();

    /** Records the log position of a response; 0 if it has none. */
    void notePosition(long position);

    /**
     * A stream has ended. Called before its requests fail.
     *
     * @param isRefused whether it ended before the welcome, although the server is available
     */
    void onEnded(RequestStream stream, Status status, boolean isRefused);

    /** Sends a request as a call, because the stream does not accept it. */
    void sendAsCall(StreamExchange<?, ?> exchange);
  }
}
