package io.entroq.service.grpc;

import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;

/**
 * Refuses calls of methods that do not exist. Without this, gRPC would answer them without asking
 * the interceptors, which announce the protocol.
 */
final class UnknownMethods extends HandlerRegistry {
  @Override
  public ServerMethodDefinition<?, ?> lookupMethod(String method, String authority) {
    RequestBytesMarshaller bytes = new RequestBytesMarshaller();
    return ServerMethodDefinition.create(
        MethodDescriptor.newBuilder(bytes, bytes)
            .setType(MethodType.UNKNOWN)
            .setFullMethodName(method)
            .build(),
        (call, headers) -> {
          call.close(
              Status.UNIMPLEMENTED.withDescription("Method not found: " + method), new Metadata());
          return new ServerCall.Listener<>() {};
        });
  }
}
