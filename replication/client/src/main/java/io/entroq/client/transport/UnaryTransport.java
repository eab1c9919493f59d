package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.api.worker.Backoff;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.published.admin.BackupRequest;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Each request is a call of its own. */
public final class UnaryTransport implements Transport {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> MIN_POSITION =
      Metadata.Key.of("entroq-min-position", Metadata.ASCII_STRING_MARSHALLER);

  private final Channels channels;
  private final Supplier<String> authorization;
  private final Api api;

  /**
   * Over channels, which this closes, by the v1 API.
   *
   * @param authorization what stands in the header of that name; called for each request; empty:
   *     there is none
   */
  public UnaryTransport(Channels channels, Supplier<String> authorization) {
    this(channels, authorization, Api.V1);
  }

  /** The same by one of the APIs. */
  public UnaryTransport(Channels channels, Supplier<String> authorization, Api api) {
    this.channels = channels;
    this.authorization = authorization;
    this.api = api;
  }

  /**
   * Has the server to be asked chosen anew whenever the one in use is not there any more, until
   * this is closed.
   */
  public FailoverMonitor startFailoverMonitor(
      Duration silence, Backoff backoff, OpenRequests requests) {
    FailoverMonitor monitor = new FailoverMonitor(channels, this, silence, backoff, requests);
    channels.watch(monitor);
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
        new UnaryListener<>(receiver, tracer, channels, endpoint),
        method.isRead() ? readHeaders(endpoint) : headers(token()));
    // One more than there is, so that a second answer would be noticed.
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
    return () -> call.cancel("nobody waits for the answer any more", null);
  }

  @Override
  public Listing<TasksResponse> list(TasksRequest request) {
    Endpoint endpoint = channels.current();
    return list(endpoint, api.of(Method.STREAM_TASKS), request, readHeaders(endpoint));
  }

  /** Asks for a backup, which comes in pieces; one at a time. */
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

  /** What has been seen of the log elsewhere has to be seen there too. */
  private Metadata readHeaders(Endpoint endpoint) {
    Metadata headers = headers(token());
    long position = channels.minPosition(endpoint);
    if (position > 0) {
      headers.put(MIN_POSITION, Long.toString(position));
    }
    return headers;
  }

  @Override
  public String where() {
    return channels.where();
  }

  Channels channels() {
    return channels;
  }

  /** What stands in the header that lets a request in; empty: there is none. */
  String token() {
    return authorization.get();
  }

  /** The headers that let a request in. */
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
}
