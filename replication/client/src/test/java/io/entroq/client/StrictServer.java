package io.entroq.client;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimDocsResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.DocsResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.NamespacesResponse;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server as strict as EntroQ's own since 1.13: it serves the fields and methods of EntroQ,
 * refuses all others at any depth, and answers what the test has prepared.
 */
final class StrictServer implements AutoCloseable {
  private static final Metadata.Key<String> PROTOCOL =
      Metadata.Key.of("entroq-protocol", Metadata.ASCII_STRING_MARSHALLER);

  /** The first number of our extensions. */
  private static final int EXTENSIONS = 100;

  private final Server server;
  private final String protocols;
  private final Map<String, Message> answers = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  /** The error that the next requests get; null for none. */
  private volatile StatusRuntimeException failure;

  /**
   * A request.
   *
   * @param protocol what it declares; empty for nothing
   */
  record Request(String method, Message message, String protocol) {}

  /**
   * @param protocols to announce; empty for a server that knows no such header
   */
  StrictServer(String protocols) throws IOException {
    this.protocols = protocols;
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder("api.EntroQ");
    serve(service, "Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance());
    ClaimRequest claim = ClaimRequest.getDefaultInstance();
    serve(service, "TryClaim", claim, ClaimResponse.getDefaultInstance());
    serve(service, "Claim", claim, ClaimResponse.getDefaultInstance());
    serve(
        service, "Modify", ModifyRequest.getDefaultInstance(), ModifyResponse.getDefaultInstance());
    TasksRequest tasks = TasksRequest.getDefaultInstance();
    serve(service, "Tasks", tasks, TasksResponse.getDefaultInstance());
    serve(service, "StreamTasks", tasks, TasksResponse.getDefaultInstance());
    QueuesRequest queues = QueuesRequest.getDefaultInstance();
    serve(service, "Queues", queues, QueuesResponse.getDefaultInstance());
    serve(service, "QueueStats", queues, QueuesResponse.getDefaultInstance());
    serve(service, "Docs", DocsRequest.getDefaultInstance(), DocsResponse.getDefaultInstance());
    serve(
        service,
        "ClaimDocs",
        ClaimDocsRequest.getDefaultInstance(),
        ClaimDocsResponse.getDefaultInstance());
    serve(
        service,
        "NamespaceStats",
        NamespacesRequest.getDefaultInstance(),
        NamespacesResponse.getDefaultInstance());
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(ServerInterceptors.intercept(service.build(), new Announcer()))
            .build()
            .start();
  }

  private <Q extends Message, A extends Message> void serve(
      ServerServiceDefinition.Builder service, String name, Q request, A answer) {
    MethodDescriptor<Q, A> method =
        MethodDescriptor.newBuilder(ProtoUtils.marshaller(request), ProtoUtils.marshaller(answer))
            .setType(name.equals("StreamTasks") ? MethodType.SERVER_STREAMING : MethodType.UNARY)
            .setFullMethodName("api.EntroQ/" + name)
            .build();
    answers.put(name, answer);
    service.addMethod(method, (call, headers) -> listener(name, call, headers));
  }

  /** The answer to a method from now on. */
  StrictServer answering(String method, Message answer) {
    answers.put(method, answer);
    return this;
  }

  /** Fails all requests from now on. */
  void fail(Status.Code code, Message... details) {
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder().setCode(code.value()).setMessage("dependency error");
    Arrays.stream(details).map(Any::pack).forEach(status::addDetails);
    failure = StatusProto.toStatusRuntimeException(status.build());
  }

  /** All requests that were not refused. */
  List<Request> requests() {
    return requests;
  }

  /** The last request of a method. */
  Message last(String method) {
    return requests.stream()
        .filter(request -> request.method.equals(method))
        .reduce((first, second) -> second)
        .orElseThrow()
        .message;
  }

  String address() {
    return "localhost:" + server.getPort();
  }

  private <Q extends Message, A extends Message> ServerCall.Listener<Q> listener(
      String name, ServerCall<Q, A> call, Metadata headers) {
    call.request(2);
    return new ServerCall.Listener<>() {
      private Q message;

      @Override
      public void onMessage(Q newMessage) {
        message = newMessage;
      }

      @Override
      public void onHalfClose() {
        String protocol = Optional.ofNullable(headers.get(PROTOCOL)).orElse("");
        Optional<String> unserved = unserved(message, name);
        if (unserved.isPresent()) {
          call.close(
              Status.INVALID_ARGUMENT.withDescription("not served: " + unserved.get()),
              new Metadata());
          return;
        }
        requests.add(new Request(name, message, protocol));
        StatusRuntimeException error = failure;
        if (error != null) {
          call.close(error.getStatus(), Status.trailersFromThrowable(error));
          return;
        }
        answer(call, name);
      }
    };
  }

  @SuppressWarnings("unchecked")
  private <Q, A extends Message> void answer(ServerCall<Q, A> call, String name) {
    call.sendHeaders(new Metadata());
    call.sendMessage((A) answers.get(name));
    call.close(Status.OK, new Metadata());
  }

  /** The path of a field that EntroQ does not have; empty if there is none. */
  private static Optional<String> unserved(Message message, String path) {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      return Optional.of(path + " " + message.getUnknownFields().asMap().keySet());
    }
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      String here = path + "." + field.getKey().getName();
      if (field.getKey().getNumber() >= EXTENSIONS) {
        return Optional.of(here);
      }
      List<?> values = field.getValue() instanceof List<?> list ? list : List.of(field.getValue());
      for (Object value : values) {
        Optional<String> deeper =
            value instanceof Message inner ? unserved(inner, here) : Optional.empty();
        if (deeper.isPresent()) {
          return deeper;
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  /** Announces the protocols with every answer. */
  private final class Announcer implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      return next.startCall(
          new SimpleForwardingServerCall<>(call) {
            @Override
            public void sendHeaders(Metadata answer) {
              if (!protocols.isEmpty()) {
                answer.put(PROTOCOL, protocols);
              }
              super.sendHeaders(answer);
            }
          },
          headers);
    }
  }
}
