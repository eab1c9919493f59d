package io.entroq.service.grpc;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import io.grpc.protobuf.ProtoServiceDescriptorSupplier;

/** The schema of an API, for reflection. */
record PublishedSchema(ServiceDescriptor service) implements ProtoServiceDescriptorSupplier {
  @Override
  public FileDescriptor getFileDescriptor() {
    return service.getFile();
  }

  @Override
  public ServiceDescriptor getServiceDescriptor() {
    return service;
  }
}
