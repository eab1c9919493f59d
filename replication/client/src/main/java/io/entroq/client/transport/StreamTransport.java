package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.StreamRequests;
import io.entroq.codec.wire.edge.StreamResponses;
import io.entroq.codec.wire.edge.TasksRequest;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Claims and modifies go over one stream; everything else, and what is very long, as calls of their
 * own. A server that knows no streams gets calls alone.
 */
public final class StreamTransport implements Transport {
  /** How many streams may end under one request. */
  private static final int ATTEMPTS = 2;

  private static final MethodDescriptor<StreamRequests, StreamResponses> OPEN =
      MethodDescriptor.newBuilder(
              ProtoUtils.marshaller(StreamRequests.getDefaultInstance()),
              ProtoUtils.marshaller(StreamResponses.getDefaultInstance()))
          .setType(MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName("entroq.v1.Stream", "Open"))
          .build();

  /** So that a message of a stream is never longer than a server takes. */
  private static final int REQUEST_BYTES_MAX = 1 << 20;

  /** How late a deadline may be noticed. */
  private static final long LOOK_MS = 20;

  private final UnaryTransport calls;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(StreamTransport::thread);
  private volatile boolean isRefused;
  private RequestStream current;

  /** Over the channels of another transport, which is closed with this one. */
  public StreamTransport(UnaryTransport calls) {
    this.calls = calls;
    Future<?> unused =
        timer.scheduleWithFixedDelay(this::expire, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-deadlines");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public <Q extends Message, A extends Message> Exchange send(
      Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver) {
    if (isRefused || !StreamForm.has(method) || request.getSerializedSize() > REQUEST_BYTES_MAX) {
      return calls.send(method, request, timeoutMs, receiver);
    }
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    StreamExchange<A> exchange = new StreamExchange<>(method, request, deadlineNs, receiver);
    // One may end just now; if the next one does too, nobody is there.
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (stream().send(exchange)) {
        return exchange;
      }
    }
    receiver.onFailure(
        new Failure(Status.Code.UNAVAILABLE, "no stream can be opened", List.of(), false));
    return exchange;
  }

  private synchronized RequestStream stream() {
    String token = calls.token();
    if (current == null || !current.takes(token)) {
      if (current != null) {
        current.retire();
      }
      ManagedChannel channel = calls.channels().current();
      current =
          new RequestStream(
              channel.newCall(OPEN, CallOptions.DEFAULT), token, status -> onEnd(channel, status));
      current.start(UnaryTransport.headers(token));
    }
    return current;
  }

  private void onEnd(ManagedChannel channel, Status status) {
    if (status.getCode() == Status.Code.UNIMPLEMENTED) {
      isRefused = true;
    } else if (!status.isOk()) {
      calls.channels().leave(channel);
    }
  }

  private void expire() {
    RequestStream stream;
    synchronized (this) {
      stream = current;
    }
    if (stream != null) {
      stream.expire(System.nanoTime());
    }
  }

  @Override
  public Listing list(TasksRequest request, long silenceMs) {
    return calls.list(request, silenceMs);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    synchronized (this) {
      if (current != null) {
        current.retire();
      }
    }
    calls.close();
  }
}
