package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.StreamRequests;
import io.entroq.codec.wire.edge.StreamResponses;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Claims and modifies go over one stream; everything else, what is very long, and what there is no
 * room for, as calls of their own. To a server that lets no stream through everything goes as
 * calls, and now and then a stream is tried again.
 */
public final class StreamTransport implements Transport {
  static final MethodDescriptor<StreamRequests, StreamResponses> OPEN =
      MethodDescriptor.newBuilder(
              ProtoUtils.marshaller(StreamRequests.getDefaultInstance()),
              ProtoUtils.marshaller(StreamResponses.getDefaultInstance()))
          .setType(MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName("entroq.v1.Stream", "Open"))
          .build();

  /** How long everything goes as calls when a stream was refused. */
  private static final long REFUSED_NS = TimeUnit.SECONDS.toNanos(60);

  /** How long a stream is kept at least when the token changes: it may with every request. */
  private static final long TOKEN_NS = TimeUnit.SECONDS.toNanos(1);

  /** How many streams may end under one request. */
  private static final int ATTEMPTS = 2;

  /** How late a deadline may be noticed. */
  private static final long LOOK_MS = 20;

  private final UnaryTransport calls;
  private final LongSupplier nanoClock;
  private final Set<RequestStream> streams = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(StreamTransport::thread);
  private volatile RequestStream current;
  private long openedNs;

  /** When the places that have refused a stream did so last. */
  private final Map<Endpoint, Long> refusedNs = new HashMap<>();

  /** Over the channels of another transport, which is closed with this one. */
  public StreamTransport(UnaryTransport calls) {
    this(calls, System::nanoTime);
  }

  StreamTransport(UnaryTransport calls, LongSupplier nanoClock) {
    this.calls = calls;
    this.nanoClock = nanoClock;
    Future<?> unused =
        timer.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-deadlines");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public <Q extends Message, A extends Message> Exchange send(
      Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver) {
    if (!StreamCodec.has(method) || request.getSerializedSize() > RequestStream.REQUEST_BYTES_MAX) {
      return calls.send(method, request, timeoutMs, receiver);
    }
    String token = calls.token();
    long nowNs = nanoClock.getAsLong();
    long deadlineNs = nowNs + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    StreamExchange<Q, A> exchange = new StreamExchange<>(method, request, deadlineNs, receiver);
    // One may end just now; if the next one does too, a call tells why.
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      RequestStream stream = stream(token, nowNs);
      if (stream == null) {
        break;
      }
      if (stream.send(exchange)) {
        return exchange;
      }
    }
    exchange.over(calls, nowNs);
    return exchange;
  }

  /** The stream for what is sent with a token; null: none for now. */
  private RequestStream stream(String token, long nowNs) {
    RequestStream usual = current;
    return usual != null && usual.takes(token) ? usual : open(token, nowNs);
  }

  private synchronized RequestStream open(String token, long nowNs) {
    if (current != null) {
      if (current.takes(token)) {
        return current;
      }
      if (current.isOpen() && current.isInUse() && nowNs - openedNs < TOKEN_NS) {
        return null;
      }
      current.retire();
    }
    Endpoint endpoint = calls.channels().current();
    Long refused = refusedNs.get(endpoint);
    if (refused != null && nowNs - refused < REFUSED_NS) {
      return null;
    }
    refusedNs.remove(endpoint);
    openedNs = nowNs;
    RequestStream opened =
        new RequestStream(
            endpoint.channel().newCall(OPEN, CallOptions.DEFAULT),
            token,
            nowNs,
            new Owner(endpoint));
    streams.add(opened);
    current = opened;
    return opened.start(UnaryTransport.headers(token));
  }

  /** Ends what has come to its deadline by now, and streams that are held back. */
  void look() {
    long nowNs = nanoClock.getAsLong();
    for (RequestStream stream : streams) {
      stream.expire(nowNs);
      stream.cutIfSilent(nowNs);
    }
  }

  @Override
  public Listing<TasksResponse> list(TasksRequest request) {
    return calls.list(request);
  }

  @Override
  public String where() {
    return calls.where();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    streams.forEach(RequestStream::retire);
    calls.close();
  }

  /** What a stream to a server goes back to. */
  private final class Owner implements RequestStream.Owner {
    private final Endpoint endpoint;
    private final int connection;

    Owner(Endpoint endpoint) {
      this.endpoint = endpoint;
      connection = endpoint.connection();
    }

    @Override
    public boolean isInUse() {
      return calls.channels().isInUse(endpoint) && connection == endpoint.connection();
    }

    @Override
    public void notePosition(long position) {
      calls.channels().notePosition(endpoint, position);
    }

    @Override
    public void ended(RequestStream stream, Status status, boolean isRefused) {
      streams.remove(stream);
      if (isRefused) {
        refused(endpoint, connection);
      } else if (!status.isOk()) {
        calls.channels().leave(endpoint, connection, Failures.of(status, new Metadata(), true));
      }
    }

    @Override
    public void sendAsCall(StreamExchange<?, ?> exchange) {
      exchange.over(calls, nanoClock.getAsLong());
    }
  }

  private synchronized void refused(Endpoint endpoint, int connection) {
    if (connection == endpoint.connection()) {
      refusedNs.put(endpoint, nanoClock.getAsLong());
    }
  }
}
