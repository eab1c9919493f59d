package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.StreamRequests;
import io.entroq.codec.wire.edge.StreamResponses;
import io.entroq.codec.wire.edge.TailRequest;
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
 * Sends claims and modifies over one stream. Other requests, long requests, and requests beyond the
 * stream's limits go as calls. If a server refuses streams, all requests go as calls, and a stream
 * is tried again later.
 */
public final class StreamTransport implements Transport {
  static final MethodDescriptor<StreamRequests, StreamResponses> OPEN =
      MethodDescriptor.newBuilder(
              ProtoUtils.marshaller(StreamRequests.getDefaultInstance()),
              ProtoUtils.marshaller(StreamResponses.getDefaultInstance()))
          .setType(MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName("entroq.v1.Stream", "Open"))
          .build();

  /** How long all requests go as calls after a refused stream. */
  private static final long REFUSED_NS = TimeUnit.SECONDS.toNanos(60);

  /**
   * The minimum time between two streams with different tokens, since each request may have
   * another.
   */
  private static final long TOKEN_NS = TimeUnit.SECONDS.toNanos(1);

  /** How many streams a request tries. */
  private static final int ATTEMPTS = 2;

  /** How late an expired deadline may be noticed. */
  private static final long CHECK_INTERVAL_MS = 20;

  private final UnaryTransport calls;
  private final LongSupplier nanoClock;
  private final Set<RequestStream> streams = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(StreamTransport::thread);
  private volatile RequestStream current;
  private long openedNs;

  /** When endpoints last refused a stream. */
  private final Map<Endpoint, Long> refusedNs = new HashMap<>();

  /**
   * @param calls sends calls, and has the channels; closed with this transport
   */
  public StreamTransport(UnaryTransport calls) {
    this(calls, System::nanoTime);
  }

  StreamTransport(UnaryTransport calls, LongSupplier nanoClock) {
    this.calls = calls;
    this.nanoClock = nanoClock;
    Future<?> unused =
        timer.scheduleWithFixedDelay(
            this::checkDeadlines, CHECK_INTERVAL_MS, CHECK_INTERVAL_MS, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-deadlines");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public <Q extends Message, A extends Message> Exchange send(
      Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver) {
    if (!StreamCodec.carries(method)
        || request.getSerializedSize() > RequestStream.REQUEST_BYTES_MAX) {
      return calls.send(method, request, timeoutMs, receiver);
    }
    String token;
    try {
      token = calls.token();
    } catch (FailedException e) {
      receiver.onFailure(e.failure());
      return () -> {};
    }
    long nowNs = nanoClock.getAsLong();
    long deadlineNs = nowNs + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    StreamExchange<Q, A> exchange = new StreamExchange<>(method, request, deadlineNs, receiver);
    // A stream may be ending; if the next one does too, a call shows why.
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      RequestStream stream = stream(token, nowNs);
      if (stream == null) {
        break;
      }
      if (stream.send(exchange)) {
        return exchange;
      }
    }
    exchange.sendAsCall(calls, nowNs);
    return exchange;
  }

  /** The stream for requests with a token; null if they must go as calls now. */
  private RequestStream stream(String token, long nowNs) {
    RequestStream usual = current;
    return usual != null && usual.accepts(token) ? usual : open(token, nowNs);
  }

  private synchronized RequestStream open(String token, long nowNs) {
    if (current != null) {
      if (current.accepts(token)) {
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
    return opened.start(calls.headers(token));
  }

  /** Fails requests whose deadline has passed, and cancels streams without a welcome. */
  void checkDeadlines() {
    long nowNs = nanoClock.getAsLong();
    for (RequestStream stream : streams) {
      stream.expire(nowNs);
      stream.cancelIfNotWelcomed(nowNs);
    }
  }

  @Override
  public Listing<TasksResponse> list(TasksRequest request) {
    return calls.list(request);
  }

  @Override
  public Tail tail(TailRequest request, int skipped, TailReceiver receiver) {
    return calls.tail(request, skipped, receiver);
  }

  @Override
  public int servers() {
    return calls.servers();
  }

  @Override
  public String endpointText() {
    return calls.endpointText();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    streams.forEach(RequestStream::retire);
    calls.close();
  }

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
    public void onEnded(RequestStream stream, Status status, boolean isRefused) {
      streams.remove(stream);
      if (isRefused) {
        onRefused(endpoint, connection);
      } else if (!status.isOk()) {
        Failure failure = Failure.of(status, new Metadata(), true);
        calls.channels().onUnavailable(endpoint, connection, failure);
      }
    }

    @Override
    public void sendAsCall(StreamExchange<?, ?> exchange) {
      exchange.sendAsCall(calls, nanoClock.getAsLong());
    }
  }

  private synchronized void onRefused(Endpoint endpoint, int connection) {
    if (connection == endpoint.connection()) {
      refusedNs.put(endpoint, nanoClock.getAsLong());
    }
  }
}
