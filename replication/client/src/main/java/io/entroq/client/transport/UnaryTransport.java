package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.api.worker.Backoff;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.published.admin.BackupRequest;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.codec.wire.published.admin.ImageRequest;
import io.entroq.codec.wire.published.admin.ImageResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sends each request as a call of its own.
 *
 * <p>Time is asked without a protocol, which every server answers. A server that does not announce
 * protocol 2 with its answer is refused. All other requests declare protocol 2.
 */
public final class UnaryTransport implements Transport {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> MIN_POSITION =
      Metadata.Key.of("entroq-min-position", Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> PROTOCOL =
      Metadata.Key.of("entroq-protocol", Metadata.ASCII_STRING_MARSHALLER);

  /** Of a request, the point as of which it reads; of an answer, what is shown. */
  private static final Metadata.Key<String> AS_OF =
      Metadata.Key.of("entroq-at", Metadata.ASCII_STRING_MARSHALLER);

  private static final String PROTOCOL_2 = "2";

  private final Channels channels;
  private final Supplier<String> authorization;
  private final Api api;
  private final boolean isProtocol2;
  private final Optional<String> asOf;

  /**
   * Uses protocol 2 of the v1 API.
   *
   * @param channels closed with this transport
   * @param authorization the value of the header of that name, requested for each call; empty: no
   *     header
   */
  public UnaryTransport(Channels channels, Supplier<String> authorization) {
    this(channels, authorization, Optional.empty());
  }

  /**
   * The same as of a point. Refuses what does not read, and answers of servers that do not know
   * points.
   *
   * @param asOf the point as requests have it; empty: the present
   */
  public UnaryTransport(Channels channels, Supplier<String> authorization, Optional<String> asOf) {
    this(channels, authorization, Api.V1, true, asOf);
  }

  /** Uses a given API without declaring a protocol, so for servers of any age. */
  public UnaryTransport(Channels channels, Supplier<String> authorization, Api api) {
    this(channels, authorization, api, false, Optional.empty());
  }

  private UnaryTransport(
      Channels channels,
      Supplier<String> authorization,
      Api api,
      boolean isProtocol2,
      Optional<String> asOf) {
    this.channels = channels;
    this.authorization = authorization;
    this.api = api;
    this.isProtocol2 = isProtocol2;
    this.asOf = asOf;
  }

  /** Starts a monitor that replaces an unavailable endpoint, until this transport is closed. */
  public FailoverMonitor startFailoverMonitor(
      Duration silence, Backoff backoff, OpenRequests requests) {
    FailoverMonitor monitor = new FailoverMonitor(channels, this, silence, backoff, requests);
    channels.setMonitor(monitor);
    return monitor;
  }

  @Override
  public <Q extends Message, A extends Message> Exchange send(
      Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver) {
    boolean isOfServer = method == (Object) Method.TIME || method == (Object) Method.RANGE;
    if (asOf.isPresent() && !isOfServer && !method.isRead()) {
      receiver.onFailure(
          new Failure(
              Status.Code.PERMISSION_DENIED,
              "the queue is shown as it was at %s: nothing was changed".formatted(asOf.get()),
              List.of(),
              false));
      return () -> {};
    }
    return send(
        channels.current(),
        method,
        request,
        timeoutMs,
        receiver,
        isOfServer ? Optional.empty() : asOf);
  }

  /** Asks a server about its present. */
  <Q extends Message, A extends Message> Exchange send(
      Endpoint endpoint, Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver) {
    return send(endpoint, method, request, timeoutMs, receiver, Optional.empty());
  }

  private <Q extends Message, A extends Message> Exchange send(
      Endpoint endpoint,
      Method<Q, A> method,
      Q request,
      long timeoutMs,
      Receiver<A> receiver,
      Optional<String> point) {
    boolean isTime = method == (Object) Method.TIME;
    Metadata headers;
    try {
      headers = isTime ? withToken(token()) : headers(token());
    } catch (FailedException e) {
      receiver.onFailure(e.failure());
      return () -> {};
    }
    SentTracer tracer = new SentTracer();
    CallOptions options =
        CallOptions.DEFAULT
            .withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS)
            .withStreamTracerFactory(tracer);
    ClientCall<Q, A> call = endpoint.channel().newCall(api.of(method.descriptor()), options);
    point.ifPresent(at -> headers.put(AS_OF, at));
    if (method.isRead() && point.isEmpty()) {
      addMinPosition(headers, endpoint);
    }
    call.start(
        new UnaryListener<>(
            receiver, tracer, new CallCompletion(channels, endpoint), isTime && isProtocol2, point),
        headers);
    // Two, so that gRPC notices a second response.
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
    return () -> call.cancel("the caller canceled the request", null);
  }

  @Override
  public Listing<TasksResponse> list(TasksRequest request) {
    Endpoint endpoint = channels.current();
    return list(
        endpoint,
        api.of(Method.STREAM_TASKS),
        request,
        headers ->
            asOf.ifPresentOrElse(
                at -> headers.put(AS_OF, at), () -> addMinPosition(headers, endpoint)),
        asOf);
  }

  @Override
  public Tail tail(TailRequest request, int skipped, TailReceiver receiver) {
    Endpoint endpoint = channels.fromCurrent(skipped);
    Metadata headers = headers(token());
    return new TailCall(
            endpoint.channel().newCall(Method.TAIL, CallOptions.DEFAULT),
            new CallCompletion(channels, endpoint),
            receiver)
        .start(request, headers);
  }

  @Override
  public int servers() {
    return channels.endpoints().size();
  }

  /** Requests a backup, which is sent in pieces. */
  public Listing<BackupResponse> backup() {
    return list(
        channels.current(),
        Method.BACKUP,
        BackupRequest.getDefaultInstance(),
        headers -> {},
        Optional.empty());
  }

  /** Requests an image, which is sent in pieces. */
  public Listing<ImageResponse> image(ImageRequest request) {
    return list(channels.current(), Method.IMAGE, request, headers -> {}, Optional.empty());
  }

  private <Q, A> Listing<A> list(
      Endpoint endpoint,
      MethodDescriptor<Q, A> method,
      Q request,
      Consumer<Metadata> moreHeaders,
      Optional<String> point) {
    Metadata headers;
    try {
      headers = headers(token());
    } catch (FailedException e) {
      return new FailedListing<>(e.failure());
    }
    moreHeaders.accept(headers);
    ListingCall<Q, A> listing =
        new ListingCall<>(
            endpoint.channel().newCall(method, CallOptions.DEFAULT),
            new CallCompletion(channels, endpoint),
            trailers -> unshown(point, trailers));
    return listing.start(request, headers);
  }

  /** Makes the endpoint wait for the highest log position seen. */
  private void addMinPosition(Metadata headers, Endpoint endpoint) {
    long position = channels.minPosition(endpoint);
    if (position > 0) {
      headers.put(MIN_POSITION, Long.toString(position));
    }
  }

  /**
   * The failure of a good answer that is not as of the point that was asked for.
   *
   * @param point empty: the present
   */
  private static Optional<Failure> unshown(Optional<String> point, Metadata trailers) {
    return point
        .filter(at -> !trailers.containsKey(AS_OF))
        .map(
            at ->
                new Failure(
                    Status.Code.FAILED_PRECONDITION,
                    ("the server does not know how to show the queue as it was at %s, and showed"
                            + " the present: upgrade the server")
                        .formatted(at),
                    List.of(),
                    true));
  }

  @Override
  public String endpointText() {
    return channels.endpointText();
  }

  Channels channels() {
    return channels;
  }

  /**
   * The value of the authorization header; empty: no header.
   *
   * @throws FailedException if the token supplier fails
   */
  String token() {
    try {
      return authorization.get();
    } catch (Throwable e) {
      // An Error too, such as of a class that is missing, must not end what sends.
      throw new FailedException(
          new Failure(
              Status.Code.UNAUTHENTICATED, "the token supplier failed: " + e, List.of(), false));
    }
  }

  /** Headers with the authorization and the protocol. */
  Metadata headers(String token) {
    Metadata headers = withToken(token);
    if (isProtocol2) {
      headers.put(PROTOCOL, PROTOCOL_2);
    }
    return headers;
  }

  private static Metadata withToken(String token) {
    Metadata headers = new Metadata();
    if (!token.isEmpty()) {
      headers.put(AUTHORIZATION, token);
    }
    return headers;
  }

  @Override
  public void close() {
    channels.close();
  }

  /** Receives the response of a unary call. */
  private static final class UnaryListener<A> extends ClientCall.Listener<A> {
    private final Receiver<A> receiver;
    private final SentTracer tracer;
    private final CallCompletion end;
    private final boolean needsProtocol2;
    private final Optional<String> point;

    /** The protocols that the server announces. */
    private String protocols = "1";

    private A answer;

    UnaryListener(
        Receiver<A> receiver,
        SentTracer tracer,
        CallCompletion end,
        boolean needsProtocol2,
        Optional<String> point) {
      this.receiver = receiver;
      this.tracer = tracer;
      this.end = end;
      this.needsProtocol2 = needsProtocol2;
      this.point = point;
    }

    @Override
    public void onHeaders(Metadata headers) {
      String announced = headers.get(PROTOCOL);
      protocols = announced == null ? protocols : announced;
    }

    @Override
    public void onMessage(A message) {
      answer = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.notePosition(trailers);
      if (status.isOk() && answer != null) {
        if (needsProtocol2 && !Arrays.asList(protocols.split(",", -1)).contains(PROTOCOL_2)) {
          receiver.onFailure(tooOld());
        } else {
          unshown(point, trailers)
              .ifPresentOrElse(receiver::onFailure, () -> receiver.onAnswer(answer));
        }
        return;
      }
      receiver.onFailure(end.failure(status, trailers, tracer.isSent()));
    }

    private Failure tooOld() {
      return new Failure(
          Status.Code.FAILED_PRECONDITION,
          "the server serves EntroQ protocol "
              + protocols
              + ", and this client needs protocol 2, of EntroQ 1.13 and later: upgrade the server",
          List.of(),
          true);
    }
  }

  /** Records whether a call has left this process. */
  private static final class SentTracer extends ClientStreamTracer.Factory {
    private volatile boolean isSent;

    boolean isSent() {
      return isSent;
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      return new ClientStreamTracer() {
        @Override
        public void outboundHeaders() {
          isSent = true;
        }
      };
    }
  }
}
