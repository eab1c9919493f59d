package io.entroq.service.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers a gRPC call, with one response or a stream. The trailers carry the log position.
 * Synchronized, since {@link SlowReaders} may end the call at the same time.
 */
final class GrpcReply<S extends MessageLite> implements Reply<S> {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcReply.class);
  private static final String TYPE_URL_PREFIX = "type.googleapis.com/";
  private static final Metadata.Key<String> POSITION =
      Metadata.Key.of("entroq-position", Metadata.ASCII_STRING_MARSHALLER);

  private final Facade facade;
  private final ServerCall<?, S> call;
  private final ResponseReader reader;
  private final boolean isUnary;
  private volatile Runnable onAbandoned = () -> {};
  private boolean hasBegun;
  private boolean isClosed;
  private long position;

  /** Null until there is any. */
  private Metadata metadata;

  /**
   * @param readers watches for slow readers
   */
  GrpcReply(Facade facade, ServerCall<?, S> call, SlowReaders readers) {
    this.facade = facade;
    this.call = call;
    this.reader = new ResponseReader(call, readers);
    this.isUnary = call.getMethodDescriptor().getType() == MethodDescriptor.MethodType.UNARY;
    reader.onSlow(this::cut);
  }

  /** Sets what runs when nobody will read the response. */
  void onAbandoned(Runnable action) {
    onAbandoned = action;
  }

  @Override
  public boolean isReady() {
    return call.isReady();
  }

  @Override
  public synchronized void position(long seen) {
    position = seen;
  }

  @Override
  public synchronized void metadata(String name, String value) {
    if (metadata == null) {
      metadata = new Metadata();
    }
    Metadata.Key<String> key = Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    // A call that is made again says it again.
    metadata.discardAll(key);
    metadata.put(key, value);
  }

  @Override
  public synchronized void send(S response) {
    attempt(
        () -> {
          begin();
          call.sendMessage(response);
          if (isUnary) {
            closeAfter(response.getSerializedSize(), Status.OK);
          } else {
            reader.sent(response.getSerializedSize());
          }
        });
  }

  @Override
  public synchronized void complete() {
    attempt(
        () -> {
          begin();
          closeAfter(0, Status.OK);
        });
  }

  private void begin() {
    if (!hasBegun) {
      hasBegun = true;
      call.sendHeaders(new Metadata());
    }
  }

  @Override
  public synchronized void fail(Refusal refusal) {
    attempt(() -> close(status(refusal), details(refusal, trailers())));
  }

  private void close(Status status, Metadata trailers) {
    isClosed = true;
    call.close(status, trailers);
  }

  /** Closes the call after a response of this many bytes. */
  private void closeAfter(long bytes, Status status) {
    close(status, trailers());
    reader.sentLast(bytes);
  }

  /**
   * Ends a slow reader's call with an error, which follows what was already sent. If the error is
   * not read either, this gives back the call's claims and memory.
   */
  private void cut() {
    synchronized (this) {
      if (!isClosed) {
        attempt(() -> closeAfter(0, status(reader.refusal())));
        return;
      }
    }
    // Without this lock: the call may answer here while it holds its own.
    onAbandoned.run();
  }

  /**
   * Stops tracking the reader.
   *
   * @return whether the reader was too slow
   */
  boolean end() {
    return reader.end();
  }

  private Metadata trailers() {
    Metadata trailers = new Metadata();
    if (position > 0) {
      trailers.put(POSITION, Long.toString(position));
    }
    if (metadata != null) {
      trailers.merge(metadata);
    }
    return trailers;
  }

  /** Answers the call, which may have ended already. */
  private static void attempt(Runnable answer) {
    try {
      answer.run();
    } catch (StatusRuntimeException | IllegalStateException e) {
      LOG.debug("The call had ended before its answer.", e);
    }
  }

  static Status status(Refusal refusal) {
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
      status.addDetails(
          Any.newBuilder()
              .setTypeUrl(TYPE_URL_PREFIX + facade.typeName(detail))
              .setValue(detail.toByteString()));
    }
    return status.build();
  }
}
