package io.entroq.service.grpc;

import com.google.protobuf.Descriptors;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.CancelClaimResponse;
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
import io.entroq.codec.wire.published.v0.PublishedV0Proto;
import io.entroq.codec.wire.published.v1.PublishedV1Proto;
import io.entroq.service.call.Service;
import io.entroq.service.limit.ReadTimeout;
import io.entroq.service.translation.Facade;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import java.util.ArrayList;
import java.util.List;

/** The methods of one API, as gRPC serves them. */
public final class GrpcMethods {
  private static final String SERVICE = "EntroQ";
  private static final ClaimResponse CLAIMED = ClaimResponse.getDefaultInstance();
  private static final CancelClaimResponse CANCELLED = CancelClaimResponse.getDefaultInstance();
  private static final ModifyResponse MODIFIED = ModifyResponse.getDefaultInstance();
  private static final TasksResponse TASKS = TasksResponse.getDefaultInstance();
  private static final QueuesResponse QUEUES = QueuesResponse.getDefaultInstance();
  private static final DocsResponse DOCS = DocsResponse.getDefaultInstance();
  private static final ClaimDocsResponse CLAIMED_DOCS = ClaimDocsResponse.getDefaultInstance();
  private static final NamespacesResponse NAMESPACES = NamespacesResponse.getDefaultInstance();
  private static final TimeResponse TIME = TimeResponse.getDefaultInstance();

  private GrpcMethods() {}

  /**
   * All methods that the API of a service has, and what reflection tells of them; without an eye on
   * readers.
   */
  public static ServerServiceDefinition of(Service service) {
    return of(service, new SlowReaders(ReadTimeout.STALL_MAX_DEFAULT));
  }

  /**
   * The same.
   *
   * @param readers looks after their answers
   */
  static ServerServiceDefinition of(Service service, SlowReaders readers) {
    Descriptors.ServiceDescriptor published = published(service.facade());
    List<ServerMethodDefinition<RequestBytes, ?>> methods = new ArrayList<>();
    for (Descriptors.MethodDescriptor method : published.getMethods()) {
      methods.add(method(service, method.getName()).define(method, service.facade(), readers));
    }
    ServiceDescriptor.Builder descriptor =
        ServiceDescriptor.newBuilder(published.getFullName())
            .setSchemaDescriptor(new PublishedSchema(published));
    methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
    ServerServiceDefinition.Builder definition =
        ServerServiceDefinition.builder(descriptor.build());
    methods.forEach(definition::addMethod);
    return definition.build();
  }

  private static Descriptors.ServiceDescriptor published(Facade facade) {
    return (facade == Facade.V0
            ? PublishedV0Proto.getDescriptor()
            : PublishedV1Proto.getDescriptor())
        .findServiceByName(SERVICE);
  }

  private static GrpcMethod<?, ?> method(Service service, String name) {
    return switch (name) {
      case "TryClaim" -> new GrpcMethod<>(ClaimRequest.parser(), CLAIMED, service::tryClaim);
      case "Claim" -> new GrpcMethod<>(ClaimRequest.parser(), CLAIMED, service::claim);
      case "CancelClaim" ->
          new GrpcMethod<>(CancelClaimRequest.parser(), CANCELLED, service::cancelClaim);
      case "Modify" -> new GrpcMethod<>(ModifyRequest.parser(), MODIFIED, service::modify);
      case "Tasks" -> new GrpcMethod<>(TasksRequest.parser(), TASKS, service::tasks);
      case "StreamTasks" -> new GrpcMethod<>(TasksRequest.parser(), TASKS, service::streamTasks);
      case "Queues" -> new GrpcMethod<>(QueuesRequest.parser(), QUEUES, service::queues);
      case "QueueStats" -> new GrpcMethod<>(QueuesRequest.parser(), QUEUES, service::queueStats);
      case "Time" ->
          new GrpcMethod<>(
              TimeRequest.parser(),
              TIME,
              (context, request, reply) -> service.time(context, reply));
      case "Docs" -> new GrpcMethod<>(DocsRequest.parser(), DOCS, service::docs);
      case "ClaimDocs" ->
          new GrpcMethod<>(ClaimDocsRequest.parser(), CLAIMED_DOCS, service::claimDocs);
      case "NamespaceStats" ->
          new GrpcMethod<>(NamespacesRequest.parser(), NAMESPACES, service::namespaceStats);
      default -> throw new IllegalStateException("a method that nobody has written: " + name);
    };
  }
}
