package io.entroq.service.grpc;

import io.entroq.service.stream.StreamMessage;
import io.entroq.service.stream.StreamTransport;
import io.entroq.service.translation.Refusal;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries a request stream over a gRPC call. */
final class GrpcStream implements StreamTransport {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcStream.class);

  private final ServerCall<RequestBytes, StreamMessage> call;
  private final ResponseReader reader;

  GrpcStream(ServerCall<RequestBytes, StreamMessage> call, ResponseReader reader) {
    this.call = call;
    this.reader = reader;
  }

  @Override
  public void take() {
    call.request(1);
  }

  @Override
  public boolean isReady() {
    return call.isReady();
  }

  @Override
  public void send(StreamMessage message) {
    attempt(
        () -> {
          call.sendMessage(message);
          reader.sent(message.length());
        });
  }

  @Override
  public void complete() {
    attempt(() -> call.close(Status.OK, new Metadata()));
  }

  @Override
  public void end(Refusal refusal) {
    attempt(() -> call.close(GrpcReply.status(refusal), new Metadata()));
  }

  /** Sends something on the call, which may have ended already. */
  private static void attempt(Runnable step) {
    try {
      step.run();
    } catch (IllegalStateException e) {
      LOG.debug("A stream had ended.", e);
    }
  }
}
