package io.entroq.service.grpc;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import io.entroq.codec.wire.published.feed.PublishedFeedProto;
import io.entroq.codec.wire.published.insight.PublishedInsightProto;
import io.entroq.codec.wire.published.queues.PublishedQueuesProto;
import io.entroq.codec.wire.published.v0.PublishedV0Proto;
import io.entroq.codec.wire.published.v1.PublishedV1Proto;
import io.entroq.service.call.Method;
import io.entroq.service.call.Service;
import io.entroq.service.limit.ReadTimeout;
import io.entroq.service.translation.Facade;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoServiceDescriptorSupplier;
import java.util.List;

/** Serves the methods of one API over gRPC. */
public final class GrpcMethods {
  private static final String SERVICE = "EntroQ";
  private static final String QUEUES = "Queues";
  private static final String FEED = "Feed";
  private static final String INSIGHT = "Insight";

  private GrpcMethods() {}

  /** All methods of a service's API, without a watch for slow readers. */
  public static ServerServiceDefinition of(Service service) {
    return of(service, new SlowReaders(ReadTimeout.STALL_MAX_DEFAULT));
  }

  /**
   * All methods of a service's API.
   *
   * @param readers watches for slow readers of responses
   */
  static ServerServiceDefinition of(Service service, SlowReaders readers) {
    return of(published(service.facade()), service, readers);
  }

  /**
   * The methods of the service Queues.
   *
   * @param service serves the v1 API
   */
  static ServerServiceDefinition queues(Service service, SlowReaders readers) {
    return of(PublishedQueuesProto.getDescriptor().findServiceByName(QUEUES), service, readers);
  }

  /**
   * The methods of the service Feed.
   *
   * @param service serves the v1 API
   */
  static ServerServiceDefinition feed(Service service, SlowReaders readers) {
    return of(PublishedFeedProto.getDescriptor().findServiceByName(FEED), service, readers);
  }

  /**
   * The methods of the service Insight.
   *
   * @param service serves the v1 API
   */
  static ServerServiceDefinition insight(Service service, SlowReaders readers) {
    return of(PublishedInsightProto.getDescriptor().findServiceByName(INSIGHT), service, readers);
  }

  private static ServerServiceDefinition of(
      Descriptors.ServiceDescriptor published, Service service, SlowReaders readers) {
    return define(
        published,
        published.getMethods().stream()
            .<ServerMethodDefinition<RequestBytes, ?>>map(
                method -> define(service, Method.named(method.getName()), method, readers))
            .toList());
  }

  /** Defines a service of these methods, which reflection describes by its published schema. */
  static ServerServiceDefinition define(
      Descriptors.ServiceDescriptor published,
      List<ServerMethodDefinition<RequestBytes, ?>> methods) {
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

  private static <Q extends Message, S extends Message>
      ServerMethodDefinition<RequestBytes, S> define(
          Service service,
          Method<Q, S> method,
          Descriptors.MethodDescriptor published,
          SlowReaders readers) {
    return new GrpcMethod<>(
            method.requestParser(),
            method.response(),
            (context, request, reply) -> service.handle(method, context, request, reply))
        .define(published, service.facade(), readers);
  }

  /** The schema of an API, for reflection. */
  private record PublishedSchema(Descriptors.ServiceDescriptor service)
      implements ProtoServiceDescriptorSupplier {
    @Override
    public Descriptors.FileDescriptor getFileDescriptor() {
      return service.getFile();
    }

    @Override
    public Descriptors.ServiceDescriptor getServiceDescriptor() {
      return service;
    }
  }
}
