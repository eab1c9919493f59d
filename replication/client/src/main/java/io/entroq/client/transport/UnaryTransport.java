package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.TasksRequest;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Each request is a call of its own. */
public final class UnaryTransport implements Transport {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

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

  @Override
  public <Q extends Message, A extends Message> Exchange send(
      Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver) {
    ManagedChannel channel = channels.current();
    SentTracer tracer = new SentTracer();
    CallOptions options =
        CallOptions.DEFAULT
            .withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS)
            .withStreamTracerFactory(tracer);
    ClientCall<Q, A> call = channel.newCall(api.of(method.descriptor()), options);
    call.start(
        new UnaryListener<>(receiver, tracer, () -> channels.leave(channel)), headers(token()));
    // One more than there is, so that a second answer would be noticed.
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
    return () -> call.cancel("nobody waits for the answer any more", null);
  }

  @Override
  public Listing list(TasksRequest request, long silenceMs) {
    ManagedChannel channel = channels.current();
    ListingCall listing =
        new ListingCall(
            channel.newCall(api.of(Method.STREAM_TASKS), CallOptions.DEFAULT),
            silenceMs,
            () -> channels.leave(channel));
    return listing.start(request, headers(token()));
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
