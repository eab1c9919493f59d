package io.entroq.service.grpc;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.entroq.service.call.Handlers.Handler;
import io.entroq.service.translation.Facade;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerMethodDefinition;
import io.grpc.protobuf.ProtoUtils;

/**
 * A method as gRPC serves it.
 *
 * @param response any response
 */
record GrpcMethod<Q, S extends Message>(Parser<Q> parser, S response, Handler<Q, S> handler) {
  /**
   * Defines the method under its published name.
   *
   * @param readers watches for slow readers
   */
  ServerMethodDefinition<RequestBytes, S> define(
      Descriptors.MethodDescriptor published, Facade facade, SlowReaders readers) {
    MethodDescriptor<RequestBytes, S> descriptor =
        MethodDescriptor.<RequestBytes, S>newBuilder(
                new RequestBytesMarshaller(), ProtoUtils.marshaller(response))
            .setType(published.isServerStreaming() ? MethodType.SERVER_STREAMING : MethodType.UNARY)
            .setFullMethodName(
                MethodDescriptor.generateFullMethodName(
                    published.getService().getFullName(), published.getName()))
            .build();
    return ServerMethodDefinition.create(
        descriptor,
        (call, headers) -> {
          GrpcReply<S> reply = new GrpcReply<>(facade, call, readers);
          return GrpcCall.of(
              call,
              headers,
              facade,
              reply,
              (context, request) -> handler.handle(context, request.read(parser), reply));
        });
  }
}
