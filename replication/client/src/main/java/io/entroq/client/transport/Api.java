package io.entroq.client.transport;

import io.grpc.MethodDescriptor;

/**
 * An API that servers have. The messages of v0 are a part of those of v1; what is a value there is
 * bytes here.
 */
public enum Api {
  /** That of EntroQ before 1.0. */
  V0("proto.EntroQ"),
  /** That of EntroQ from 1.0 on. */
  V1("api.EntroQ");

  private final String service;

  Api(String service) {
    this.service = service;
  }

  /** The name of the service, as gRPC has it. */
  public String service() {
    return service;
  }

  /** A method of the v1 API in this one; any other service is the same beside both. */
  <Q, A> MethodDescriptor<Q, A> of(MethodDescriptor<Q, A> method) {
    if (this == V1 || !V1.service.equals(method.getServiceName())) {
      return method;
    }
    return method.toBuilder()
        .setFullMethodName(
            MethodDescriptor.generateFullMethodName(service, method.getBareMethodName()))
        .build();
  }
}
