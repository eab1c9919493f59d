package io.entroq.service.grpc;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Empty;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A connection to a server over loopback, and generated messages, as real clients have them. */
public final class WireClient implements AutoCloseable {
  private static final int MESSAGE_BYTES_MAX = 64 << 20;
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> PROTOCOL =
      Metadata.Key.of("entroq-protocol", Metadata.ASCII_STRING_MARSHALLER);

  final ManagedChannel channel;

  /** Connects to a port. */
  public WireClient(int port) {
    this(builder(port));
  }

  /** Connects to a port, and says whose each request is. */
  public WireClient(int port, String authorization) {
    this(builder(port).intercept(MetadataUtils.newAttachHeadersInterceptor(of(authorization))));
  }

  /** The same to one with TLS. */
  public WireClient(int port, File authority, String authorization) throws IOException {
    this(
        NettyChannelBuilder.forAddress(
                "localhost",
                port,
                TlsChannelCredentials.newBuilder().trustManager(authority).build())
            .intercept(MetadataUtils.newAttachHeadersInterceptor(of(authorization))));
  }

  private WireClient(NettyChannelBuilder builder) {
    channel = builder.build();
  }

  /** Connects to a port, and lets it send so many bytes of an answer that nobody reads. */
  public static WireClient withWindow(int port, int bytes) {
    return new WireClient(builder(port).flowControlWindow(bytes));
  }

  /** Connects to a port, and pings at intervals, also without calls. */
  static WireClient pinging(int port, Duration interval) {
    return new WireClient(
        builder(port)
            .keepAliveTime(interval.toMillis(), TimeUnit.MILLISECONDS)
            .keepAliveWithoutCalls(true));
  }

  /** Connects to a port, and declares a protocol with each request. */
  public static WireClient declaring(int port, String protocol) {
    Metadata headers = new Metadata();
    headers.put(PROTOCOL, protocol);
    return new WireClient(
        builder(port).intercept(MetadataUtils.newAttachHeadersInterceptor(headers)));
  }

  private static Metadata of(String authorization) {
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, authorization);
    return headers;
  }

  private static NettyChannelBuilder builder(int port) {
    return NettyChannelBuilder.forAddress("localhost", port)
        .usePlaintext()
        .maxInboundMessageSize(MESSAGE_BYTES_MAX);
  }

  /** Calls a method as {@code api.EntroQ/Claim} and waits for the answer. */
  public <Q extends Message, A extends Message> A call(String method, Q request, A answer) {
    return ClientCalls.blockingUnaryCall(
        channel, method(method, request, answer), CallOptions.DEFAULT, request);
  }

  /** Calls a method and waits for the answer; a trailer of it. */
  public <Q extends Message, A extends Message> Optional<String> trailer(
      String method, Q request, A answer, String name) {
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    A unused =
        ClientCalls.blockingUnaryCall(
            ClientInterceptors.intercept(
                channel,
                MetadataUtils.newCaptureMetadataInterceptor(new AtomicReference<>(), trailers)),
            method(method, request, answer),
            CallOptions.DEFAULT,
            request);
    return Optional.ofNullable(
        trailers.get().get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
  }

  /** Calls a method; what is called later over this connection is called after it. */
  <Q extends Message, A extends Message> ListenableFuture<A> begin(
      String method, Q request, A answer) {
    return ClientCalls.futureUnaryCall(
        channel.newCall(method(method, request, answer), CallOptions.DEFAULT), request);
  }

  /** Begins a call and never says what is asked. */
  public void beginWithoutRequest(String method) {
    channel
        .newCall(
            method(method, Empty.getDefaultInstance(), Empty.getDefaultInstance()),
            CallOptions.DEFAULT)
        .start(new ClientCall.Listener<>() {}, new Metadata());
  }

  /** Calls a method and waits for all answers. */
  <Q extends Message, A extends Message> List<A> stream(String method, Q request, A answer) {
    List<A> answers = new ArrayList<>();
    ClientCalls.blockingServerStreamingCall(
            channel, streaming(method, request, answer), CallOptions.DEFAULT, request)
        .forEachRemaining(answers::add);
    return answers;
  }

  /**
   * Calls a method with many answers. The caller asks for them: each {@link ClientCall#request}
   * lets the listener have so many.
   */
  public <Q extends Message, A extends Message> ClientCall<Q, A> begin(
      String method, Q request, A answer, ClientCall.Listener<A> listener) {
    ClientCall<Q, A> call =
        channel.newCall(streaming(method, request, answer), CallOptions.DEFAULT);
    call.start(listener, new Metadata());
    call.sendMessage(request);
    call.halfClose();
    return call;
  }

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> streaming(
      String method, Q request, A answer) {
    MethodDescriptor<Q, A> unary = method(method, request, answer);
    return unary.toBuilder().setType(MethodType.SERVER_STREAMING).build();
  }

  @SuppressWarnings("unchecked")
  static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      String method, Q request, A answer) {
    return MethodDescriptor.newBuilder(
            ProtoUtils.marshaller((Q) request.getDefaultInstanceForType()),
            ProtoUtils.marshaller(answer))
        .setType(MethodType.UNARY)
        .setFullMethodName(method)
        .build();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
