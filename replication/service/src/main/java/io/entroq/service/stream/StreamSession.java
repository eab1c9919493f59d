package io.entroq.service.stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.entroq.codec.wire.edge.StreamHello;
import io.entroq.codec.wire.edge.StreamResponses;
import io.entroq.codec.wire.edge.StreamWelcome;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Service;
import io.entroq.service.limit.Limit;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.entroq.service.translation.RequestIdentities;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * A request stream from its first message to its end. The transport reports one event at a time;
 * responses come on any thread.
 *
 * <p>The lock guards the open requests and the outbox. It is not held while services are called,
 * which may answer at once, nor while room is made for other calls.
 */
public final class StreamSession {
  private static final Refusal ENDING =
      new Refusal(Status.Code.UNAVAILABLE, "the server is shutting down; open another stream");

  /** How many requests begin again together: few, so that their responses fit. */
  private static final int RETRIES_MAX = 8;

  private final Service service;
  private final CallContext context;
  private final StreamLimits limits;
  private final Executor afterAnswers;
  private final OpenStreams streams;
  private final StreamTransport transport;
  private final Runnable flush = this::proceed;

  private final Long2ObjectHashMap<OpenRequest<?>> open = new Long2ObjectHashMap<>();
  private final Deque<OpenRequest<?>> unanswered = new ArrayDeque<>();
  private final Outbox outbox = new Outbox();
  private RequestReader reader;
  private long ackedBelow = 1;

  /** The thread that reads a message now, and flushes after it; null if there is none. */
  private Thread reading;

  private boolean isFlushDue;
  private boolean mayTake;
  private boolean isHalfClosed;
  private boolean isDraining;
  private boolean isEnded;

  private StreamSession(
      Service service,
      CallContext context,
      StreamLimits limits,
      Executor afterAnswers,
      OpenStreams streams,
      StreamTransport transport) {
    this.service = service;
    this.context = context;
    this.limits = limits;
    this.afterAnswers = afterAnswers;
    this.streams = streams;
    this.transport = transport;
  }

  /**
   * Starts a stream.
   *
   * @param service of the v1 API
   * @param context of the stream
   * @param afterAnswers runs a task after all results that are ready
   * @param streams holds it while it is open
   */
  public static StreamSession open(
      Service service,
      CallContext context,
      StreamLimits limits,
      Executor afterAnswers,
      OpenStreams streams,
      StreamTransport transport) {
    StreamSession session =
        new StreamSession(service, context, limits, afterAnswers, streams, transport);
    session.mayTake = true;
    streams.add(session);
    session.proceed();
    return session;
  }

  /**
   * @param message handed over
   */
  public void onMessage(byte[] message) {
    try {
      synchronized (this) {
        reading = Thread.currentThread();
      }
      take(ClientMessage.read(message));
    } catch (RefusedException e) {
      end(e.refusal());
    }
    synchronized (this) {
      reading = null;
      mayTake = true;
    }
    proceed();
  }

  private void take(ClientMessage received) {
    if (received.hello() != null || reader == null) {
      greet(received);
    }
    ackedBelow = Math.max(ackedBelow, received.ackedBelow());
    for (ByteString request : received.requests()) {
      begin(request);
    }
    for (long number : received.cancels()) {
      withdraw(number);
    }
  }

  private void greet(ClientMessage received) {
    if (reader != null) {
      throw invalid("hello: only the first message has one");
    }
    if (received.hello() == null) {
      throw invalid("hello: missing in the first message");
    }
    reader = new RequestReader(service, context, clientId(received.hello()));
    StreamWelcome welcome =
        StreamWelcome.newBuilder()
            .setWindow(limits.window())
            .setMessageBytesMax(limits.messageBytesMax())
            .setValueBytesMax(limits.valueBytesMax())
            .build();
    synchronized (this) {
      outbox.add(StreamResponses.newBuilder().setWelcome(welcome).build());
    }
  }

  private static ByteString clientId(ByteString hello) {
    try {
      ByteString clientId = StreamHello.parseFrom(hello).getClientId();
      if (!clientId.isEmpty()) {
        RequestIdentities.requireClientId(clientId);
      }
      return clientId;
    } catch (InvalidProtocolBufferException e) {
      throw invalid("hello: cannot be read: " + e.getMessage());
    }
  }

  private void begin(ByteString bytes) {
    StreamedRequest<?> request = reader.read(bytes, ackedBelow);
    long number = reader.number();
    if (number <= 0) {
      throw invalid(
          "number: %s is not from 1 to 2^63 - 1".formatted(Long.toUnsignedString(number)));
    }
    OpenRequest<?> opened = request.open(this, number);
    synchronized (this) {
      if (isEnded) {
        return;
      }
      if (open.size() >= limits.window()) {
        throw new RefusedException(
            Limit.STREAM_WINDOW.refusal(
                "more requests are open than the window of " + limits.window() + " allows"));
      }
      if (open.putIfAbsent(number, opened) != null) {
        throw invalid("number: " + number + " is open already");
      }
    }
    opened.begin();
  }

  private void withdraw(long number) {
    OpenRequest<?> request;
    synchronized (this) {
      request = open.get(number);
    }
    if (request != null) {
      request.withdraw();
    }
  }

  private static RefusedException invalid(String message) {
    return new RefusedException(Refusal.invalid(message));
  }

  /** Whether a response may be kept until it can be sent. */
  synchronized boolean hasRoom(long bytes) {
    return outbox.hasRoom(bytes);
  }

  void answer(OpenRequest<?> request, long position, int field, MessageLite response) {
    boolean isKept;
    boolean flushes;
    synchronized (this) {
      if (isEnded) {
        return;
      }
      isKept = outbox.add(request, position, field, response);
      if (isKept) {
        open.remove(request.number());
      }
      flushes = isKept && needsFlush();
    }
    if (!isKept) {
      flushes = putOff(request);
    }
    if (flushes) {
      afterAnswers.execute(flush);
    }
  }

  /**
   * Drops a response, to make it again later. Does so without the lock, as it makes room for other
   * calls: some are answered at once, on streams with locks of their own.
   *
   * @return whether to flush
   */
  private boolean putOff(OpenRequest<?> request) {
    request.delivered();
    synchronized (this) {
      if (isEnded) {
        return false;
      }
      unanswered.add(request);
      return needsFlush();
    }
  }

  private boolean needsFlush() {
    if (isFlushDue || reading == Thread.currentThread()) {
      return false;
    }
    isFlushDue = true;
    return true;
  }

  /** The transport has room for more. */
  public void onReady() {
    proceed();
  }

  /** The client sends no more messages. */
  public void onHalfClose() {
    synchronized (this) {
      isHalfClosed = true;
    }
    proceed();
  }

  /** The client is gone. */
  public void onCancel() {
    synchronized (this) {
      isEnded = true;
    }
    close();
  }

  /** Accepts no more messages, and ends when everything has been answered. Any thread. */
  void drain() {
    synchronized (this) {
      isDraining = true;
    }
    proceed();
  }

  /** Sends, finishes and reads on, as far as possible now. Any thread. */
  private void proceed() {
    boolean hasFinished;
    boolean takes;
    List<OpenRequest<?>> left;
    List<OpenRequest<?>> again;
    synchronized (this) {
      isFlushDue = false;
      if (isEnded) {
        return;
      }
      left = send();
      hasFinished = finish();
      again = hasFinished ? List.of() : retries();
      takes = mayTake && !isDraining && !hasFinished && !outbox.hasBacklog();
      mayTake &= !takes;
    }
    left.forEach(OpenRequest::delivered);
    again.forEach(OpenRequest::begin);
    if (hasFinished) {
      close();
    } else if (takes) {
      transport.take();
    }
  }

  /** Sends what the transport has room for; returns the requests of those responses. */
  private List<OpenRequest<?>> send() {
    List<OpenRequest<?>> answered = List.of();
    while (!outbox.isEmpty() && transport.isReady()) {
      StreamMessage message = outbox.poll();
      transport.send(message);
      if (answered.isEmpty()) {
        answered = message.answered();
      } else {
        answered.addAll(message.answered());
      }
    }
    return answered;
  }

  private boolean finish() {
    boolean isLast = isHalfClosed || (isDraining && reading == null);
    if (!isLast || !open.isEmpty() || !outbox.isEmpty()) {
      return false;
    }
    isEnded = true;
    if (isHalfClosed) {
      transport.complete();
    } else {
      transport.end(ENDING);
    }
    return true;
  }

  private List<OpenRequest<?>> retries() {
    if (unanswered.isEmpty() || outbox.hasBacklog()) {
      return List.of();
    }
    List<OpenRequest<?>> again = new ArrayList<>();
    while (!unanswered.isEmpty() && again.size() < RETRIES_MAX) {
      again.add(unanswered.poll());
    }
    return again;
  }

  /** Ends the stream with an error, and cancels what is open. Any thread. */
  public void end(Refusal refusal) {
    synchronized (this) {
      if (isEnded) {
        return;
      }
      isEnded = true;
      transport.end(refusal);
    }
    close();
  }

  private void close() {
    streams.remove(this);
    List<OpenRequest<?>> left;
    synchronized (this) {
      left = new ArrayList<>(open.values());
      for (StreamMessage message = outbox.poll(); message != null; message = outbox.poll()) {
        left.addAll(message.answered());
      }
      open.clear();
      unanswered.clear();
    }
    left.forEach(OpenRequest::cancel);
  }
}
