package io.entroq.server.service.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.entroq.server.service.call.StreamReply;
import io.entroq.server.service.edge.Facade;
import io.entroq.server.service.edge.Refusal;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers a call of gRPC: with one message, or with several until it is complete. The trailers say
 * how far the log had come.
 */
final class GrpcReply<S> implements StreamReply<S> {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcReply.class);
  private static final String TYPE_URL = "type.googleapis.com/%s.%s";
  private static final Metadata.Key<String> POSITION =
      Metadata.Key.of("entroq-position", Metadata.ASCII_STRING_MARSHALLER);

  private final Facade facade;
  private final ServerCall<?, S> call;
  private final boolean isUnary;
  private boolean hasBegun;
  private long position;

  GrpcReply(Facade facade, ServerCall<?, S> call) {
    this.facade = facade;
    this.call = call;
    this.isUnary = call.getMethodDescriptor().getType() == MethodDescriptor.MethodType.UNARY;
  }

  @Override
  public boolean isReady() {
    return call.isReady();
  }

  @Override
  public void position(long seen) {
    position = seen;
  }

  @Override
  public void send(S response) {
    attempt(
        () -> {
          begin();
          call.sendMessage(response);
          if (isUnary) {
            call.close(Status.OK, trailers());
          }
        });
  }

  @Override
  public void complete() {
    attempt(
        () -> {
          begin();
          call.close(Status.OK, trailers());
        });
  }

  private void begin() {
    if (!hasBegun) {
      hasBegun = true;
      call.sendHeaders(new Metadata());
    }
  }

  @Override
  public void fail(Refusal refusal) {
    attempt(() -> call.close(status(refusal), details(refusal, trailers())));
  }

  private Metadata trailers() {
    Metadata trailers = new Metadata();
    if (position > 0) {
      trailers.put(POSITION, Long.toString(position));
    }
    return trailers;
  }

  /** A call that has ended meanwhile cannot be answered, and whoever answers cannot know. */
  private static void attempt(Runnable answer) {
    try {
      answer.run();
    } catch (StatusRuntimeException | IllegalStateException e) {
      LOG.debug("An answer found its call ended.", e);
    }
  }

  private static Status status(Refusal refusal) {
    return Status.fromCode(refusal.code()).withDescription(refusal.message());
  }

  private Metadata details(Refusal refusal, Metadata trailers) {
    if (!refusal.details().isEmpty()) {
      trailers.merge(StatusProto.toStatusRuntimeException(detailed(refusal)).getTrailers());
    }
    return trailers;
  }

  private com.google.rpc.Status detailed(Refusal refusal) {
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(refusal.code().value())
            .setMessage(refusal.message());
    for (Message detail : refusal.details()) {
      String typeUrl =
          TYPE_URL.formatted(facade.protoPackage(), detail.getDescriptorForType().getName());
      status.addDetails(Any.newBuilder().setTypeUrl(typeUrl).setValue(detail.toByteString()));
    }
    return status.build();
  }
}
