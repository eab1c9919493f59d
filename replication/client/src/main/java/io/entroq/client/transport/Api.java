package io.entroq.client.transport;

import io.grpc.MethodDescriptor;

/** A version of EntroQ's API. The messages of v0 are a subset of those of v1. */
public enum Api {
  /** EntroQ before 1.0. */
  V0("proto.EntroQ"),
  /** EntroQ from 1.0 on. */
  V1("api.EntroQ");

  private final String service;

  Api(String service) {
    this.service = service;
  }

  /** The full name of the gRPC service. */
  public String service() {
    return service;
  }

  /** The method of this API for one of v1. Methods of other services stay the same. */
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
