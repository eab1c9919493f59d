package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.api.worker.Backoff;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.published.admin.BackupRequest;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Sends each request as a call of its own. */
public final class UnaryTransport implements Transport {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> MIN_POSITION =
      Metadata.Key.of("entroq-min-position", Metadata.ASCII_STRING_MARSHALLER);

  private final Channels channels;
  private final Supplier<String> authorization;
  private final Api api;

  /**
   * Uses the v1 API.
   *
   * @param channels closed with this transport
   * @param authorization the value of the header of that name, requested for each call; empty: no
   *     header
   */
  public UnaryTransport(Channels channels, Supplier<String> authorization) {
    this(channels, authorization, Api.V1);
  }

  /** Uses a given API. */
  public UnaryTransport(Channels channels, Supplier<String> authorization, Api api) {
    this.channels = channels;
    this.authorization = authorization;
    this.api = api;
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
    return send(channels.current(), method, request, timeoutMs, receiver);
  }

  <Q extends Message, A extends Message> Exchange send(
      Endpoint endpoint, Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver) {
    SentTracer tracer = new SentTracer();
    CallOptions options =
        CallOptions.DEFAULT
            .withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS)
            .withStreamTracerFactory(tracer);
    ClientCall<Q, A> call = endpoint.channel().newCall(api.of(method.descriptor()), options);
    call.start(
        new UnaryListener<>(receiver, tracer, new CallCompletion(channels, endpoint)),
        method.isRead() ? readHeaders(endpoint) : headers(token()));
    // Two, so that gRPC notices a second response.
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
    return () -> call.cancel("the caller canceled the request", null);
  }

  @Override
  public Listing<TasksResponse> list(TasksRequest request) {
    Endpoint endpoint = channels.current();
    return list(endpoint, api.of(Method.STREAM_TASKS), request, readHeaders(endpoint));
  }

  /** Requests a backup, which is sent in pieces. */
  public Listing<BackupResponse> backup() {
    return list(
        channels.current(), Method.BACKUP, BackupRequest.getDefaultInstance(), headers(token()));
  }

  private <Q, A> Listing<A> list(
      Endpoint endpoint, MethodDescriptor<Q, A> method, Q request, Metadata headers) {
    ListingCall<Q, A> listing =
        new ListingCall<>(
            endpoint.channel().newCall(method, CallOptions.DEFAULT),
            new CallCompletion(channels, endpoint));
    return listing.start(request, headers);
  }

  /** Headers that make the endpoint wait for the highest log position seen. */
  private Metadata readHeaders(Endpoint endpoint) {
    Metadata headers = headers(token());
    long position = channels.minPosition(endpoint);
    if (position > 0) {
      headers.put(MIN_POSITION, Long.toString(position));
    }
    return headers;
  }

  @Override
  public String endpointText() {
    return channels.endpointText();
  }

  Channels channels() {
    return channels;
  }

  /** The value of the authorization header; empty: no header. */
  String token() {
    return authorization.get();
  }

  /** Headers with the authorization. */
  static Metadata headers(String token) {
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
    private A answer;

    UnaryListener(Receiver<A> receiver, SentTracer tracer, CallCompletion end) {
      this.receiver = receiver;
      this.tracer = tracer;
      this.end = end;
    }

    @Override
    public void onMessage(A message) {
      answer = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.notePosition(trailers);
      if (status.isOk() && answer != null) {
        receiver.onAnswer(answer);
        return;
      }
      receiver.onFailure(end.failure(status, trailers, tracer.isSent()));
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
