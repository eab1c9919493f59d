package io.entroq.server.service.grpc;

import com.google.protobuf.Any;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.server.service.call.StreamReply;
import io.entroq.server.service.edge.Facade;
import io.entroq.server.service.edge.Refusal;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers a call of gRPC: with one message, or with several until it is complete. */
final class GrpcReply<S> implements StreamReply<S> {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcReply.class);
  private static final String TYPE_URL = "type.googleapis.com/%s.ModifyDep";

  private final Facade facade;
  private final ServerCallStreamObserver<S> call;
  private final boolean isUnary;

  GrpcReply(Facade facade, ServerCallStreamObserver<S> call, boolean isUnary) {
    this.facade = facade;
    this.call = call;
    this.isUnary = isUnary;
  }

  @Override
  public boolean isReady() {
    return call.isReady();
  }

  @Override
  public void send(S response) {
    attempt(
        () -> {
          call.onNext(response);
          if (isUnary) {
            call.onCompleted();
          }
        });
  }

  @Override
  public void complete() {
    attempt(call::onCompleted);
  }

  @Override
  public void fail(Refusal refusal) {
    attempt(() -> call.onError(exception(refusal)));
  }

  /** A call that has ended meanwhile cannot be answered, and whoever answers cannot know. */
  private static void attempt(Runnable answer) {
    try {
      answer.run();
    } catch (StatusRuntimeException | IllegalStateException e) {
      LOG.debug("An answer found its call ended.", e);
    }
  }

  private StatusRuntimeException exception(Refusal refusal) {
    if (refusal.details().isEmpty()) {
      return Status.fromCode(refusal.code())
          .withDescription(refusal.message())
          .asRuntimeException();
    }
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(refusal.code().value())
            .setMessage(refusal.message());
    String typeUrl = TYPE_URL.formatted(facade.protoPackage());
    for (ModifyDep detail : refusal.details()) {
      status.addDetails(Any.newBuilder().setTypeUrl(typeUrl).setValue(detail.toByteString()));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }
}
