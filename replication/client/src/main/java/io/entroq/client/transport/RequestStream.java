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
 * One stream to a server, from its hello to its end. Any thread.
 *
 * <p>What is ready goes in one message. Whoever finds a message on its way out adds to the next
 * one, which the same thread sends; and what answers give rise to goes together when all of their
 * message have been told of.
 */
final class RequestStream extends ClientCall.Listener<StreamResponses> {
  /** The longest request; so that others do not wait for long behind it. */
  static final int REQUEST_BYTES_MAX = 1 << 20;

  /** A message to which nothing more is added. */
  private static final int MESSAGE_BYTES = 64 << 10;

  /** What a request takes in a message besides itself, or more. */
  private static final int FRAME_BYTES = 32;

  /** How long a server has to greet: something between that holds streams back never does. */
  private static final long WELCOME_NS = TimeUnit.SECONDS.toNanos(5);

  /** Until the server has said how many requests may be open: half of what servers allow. */
  private static final int CLAIMS_FIRST = 512;

  private final ClientCall<StreamRequests, StreamResponses> call;
  private final String token;
  private final Owner owner;
  private final long beginNs;
  private final ExchangeTable open = new ExchangeTable();
  private final Deque<StreamExchange<?, ?>> waiting = new ArrayDeque<>();
  private final List<StreamExchange<?, ?>> cancels = new ArrayList<>();

  /** How many may be open; 0: the server has not said so yet. */
  private int window;

  private int messageBytes = MESSAGE_BYTES;
  private int requestBytesMax = REQUEST_BYTES_MAX;

  /** How many claims that wait there are, sent or not. */
  private int claims;

  private int claimsMax = CLAIMS_FIRST;
  private boolean isSending;
  private boolean isDispatching;
  private boolean isRetired;
  private boolean sendsNoMore;
  private boolean isEnded;

  /**
   * @param token what the stream was let in by
   * @param beginNs now
   */
  RequestStream(
      ClientCall<StreamRequests, StreamResponses> call, String token, long beginNs, Owner owner) {
    this.call = call;
    this.token = token;
    this.beginNs = beginNs;
    this.owner = owner;
  }

  RequestStream start(Metadata headers) {
    call.start(this, headers);
    call.request(2);
    call.sendMessage(
        StreamRequests.newBuilder().setHello(StreamHello.getDefaultInstance()).build());
    return this;
  }

  /** Whether it takes requests. */
  synchronized boolean isOpen() {
    return !isEnded && !isRetired;
  }

  /** Whether it takes requests, with the right of a token. */
  boolean takes(String newToken) {
    return isOpen() && token.equals(newToken) && owner.isInUse();
  }

  /** Whether its server is still the one that is asked. */
  boolean isInUse() {
    return owner.isInUse();
  }

  /**
   * Takes a request on its way, or has it go by a call of its own.
   *
   * @return false if it takes none any more
   */
  boolean send(StreamExchange<?, ?> exchange) {
    boolean isTaken;
    synchronized (this) {
      if (isEnded || isRetired) {
        return false;
      }
      isTaken = take(exchange);
    }
    if (isTaken) {
      flush();
    } else {
      owner.sendAsCall(exchange);
    }
    return true;
  }

  /**
   * Claims that wait leave half of the window to what is answered soon; and no message is longer
   * than the server takes, for that would end the stream for all.
   */
  private boolean take(StreamExchange<?, ?> exchange) {
    if (exchange.bytes() > requestBytesMax || (exchange.isWaiting() && claims >= claimsMax)) {
      return false;
    }
    claims += exchange.isWaiting() ? 1 : 0;
    exchange.over(this);
    waiting.add(exchange);
    return true;
  }

  private void gone(StreamExchange<?, ?> exchange) {
    claims -= exchange.isWaiting() ? 1 : 0;
  }

  /** Nobody waits for an answer any more. */
  void cancel(StreamExchange<?, ?> exchange) {
    boolean isSent;
    synchronized (this) {
      isSent = exchange.number() != 0;
      if (isSent) {
        addCancel(exchange);
      } else if (waiting.remove(exchange)) {
        gone(exchange);
      }
    }
    if (isSent && exchange.isWaiting()) {
      flush();
    } else {
      exchange.fail(Status.Code.CANCELLED, "nobody waits for the answer any more", isSent);
    }
  }

  private void addCancel(StreamExchange<?, ?> exchange) {
    if (exchange.isWaiting()) {
      cancels.add(exchange);
    }
  }

  /** Ends what has come to its deadline. */
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
      unsent.forEach(this::gone);
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
    exchange.fail(Status.Code.DEADLINE_EXCEEDED, "there was no answer in time", isSent);
  }

  /** Takes no more requests, and ends when all are answered. */
  void retire() {
    synchronized (this) {
      isRetired = true;
    }
    flush();
  }

  /** Cuts it if the server should have greeted by now. */
  void cutIfSilent(long nowNs) {
    synchronized (this) {
      if (window > 0 || isEnded || nowNs - beginNs < WELCOME_NS) {
        return;
      }
      isRetired = true;
      sendsNoMore = true;
    }
    call.cancel("the server does not greet", null);
  }

  private void flush() {
    StreamRequests message = next(false);
    while (message != null) {
      call.sendMessage(message);
      message = next(true);
    }
  }

  /**
   * What is to be sent now, by this thread and before any other sends; null: nothing.
   *
   * @param hasSent whether this thread has sent what it got before
   */
  private synchronized StreamRequests next(boolean hasSent) {
    isSending &= !hasSent;
    if (isSending || isDispatching || isEnded || sendsNoMore || window == 0 || !call.isReady()) {
      return null;
    }
    StreamRequests message = gather();
    if (message != null) {
      isSending = true;
    } else if (isRetired && waiting.isEmpty() && open.size() == 0) {
      // Not before: what is open may have to be cancelled.
      sendsNoMore = true;
      call.halfClose();
    }
    return message;
  }

  private StreamRequests gather() {
    if (cancels.isEmpty() && (waiting.isEmpty() || open.size() >= window)) {
      return null;
    }
    StreamRequests.Builder message = StreamRequests.newBuilder();
    for (StreamExchange<?, ?> exchange : cancels) {
      // Else it is answered, and its number may be another one's.
      if (open.get(exchange.number()) == exchange) {
        message.addCancels(exchange.number());
      }
    }
    cancels.clear();
    int bytes = 0;
    while (!waiting.isEmpty() && open.size() < window && bytes < messageBytes) {
      StreamExchange<?, ?> exchange = waiting.poll();
      if (exchange.isCompleted()) {
        gone(exchange);
      } else {
        message.addRequests(exchange.sentAs(open.add(exchange)));
        bytes += exchange.bytes() + FRAME_BYTES;
      }
    }
    return message.getRequestsCount() + message.getCancelsCount() > 0 ? message.build() : null;
  }

  @Override
  public void onMessage(StreamResponses message) {
    List<StreamExchange<?, ?>> answered = new ArrayList<>(message.getResponsesCount());
    List<StreamExchange<?, ?>> unfit = List.of();
    synchronized (this) {
      isDispatching = true;
      if (message.hasWelcome()) {
        unfit = greet(message.getWelcome());
      }
      for (StreamResponse response : message.getResponsesList()) {
        StreamExchange<?, ?> exchange = open.remove(response.getNumber());
        if (exchange != null) {
          gone(exchange);
        }
        answered.add(exchange);
      }
    }
    owner.notePosition(position(message));
    try {
      unfit.forEach(owner::sendAsCall);
      for (int i = 0; i < answered.size(); i++) {
        if (answered.get(i) != null) {
          answered.get(i).tell(message.getResponses(i));
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

  /** Takes what waits once more, by what the server allows, and returns what it does not take. */
  private List<StreamExchange<?, ?>> greet(StreamWelcome welcome) {
    window = Math.max(0, welcome.getWindow());
    claimsMax = window / 2;
    if (welcome.getMessageBytesMax() > 0) {
      requestBytesMax = Math.min(REQUEST_BYTES_MAX, welcome.getMessageBytesMax() / 2);
      messageBytes = Math.min(MESSAGE_BYTES, welcome.getMessageBytesMax() / 4);
    }
    List<StreamExchange<?, ?>> all = new ArrayList<>(waiting);
    waiting.clear();
    claims = 0;
    all.removeIf(this::take);
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
    owner.ended(this, status, isRefused);
    if (isRefused) {
      unsent.forEach(owner::sendAsCall);
      return;
    }
    // Whatever it was that a stream has ended with, it was no word on a single request.
    String message = "the stream has ended: " + Failures.of(status, trailers, true);
    sent.forEach(exchange -> exchange.fail(Status.Code.UNAVAILABLE, message, true));
    unsent.forEach(exchange -> exchange.fail(Status.Code.UNAVAILABLE, message, false));
  }

  /** Where a stream's requests come from. Any thread. */
  interface Owner {
    /** Whether what is asked from now on is to be asked of the stream's server. */
    boolean isInUse();

    /** An answer has seen the log at a position; 0: none tells. */
    void notePosition(long position);

    /**
     * A stream has ended; its requests are told after that.
     *
     * @param isRefused whether it has not begun, though somebody is there
     */
    void ended(RequestStream stream, Status status, boolean isRefused);

    /** The stream does not take a request, or will not. */
    void sendAsCall(StreamExchange<?, ?> exchange);
  }
}
