package io.entroq.service.grpc;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the gRPC calls of a server over all its connections, and the bytes of incomplete requests:
 * slow senders could otherwise fill the memory. An incomplete request may be refused, since nothing
 * of it has been done. Once it is complete, its handler counts the bytes. Any thread.
 */
final class CallLimiter extends ServerStreamTracer.Factory implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(CallLimiter.class);
  private static final Context.Key<Receiving> RECEIVING = Context.key("entroq-receiving");

  /** Counted for each chunk besides its bytes: even one byte keeps part of a read buffer. */
  static final int PIECE_BYTES = 4 << 10;

  private static final String NOTHING_DONE = "Nothing was done. Try again later";

  private final Budget calls;
  private final Budget bytes;
  private final Executor afterwards;

  /**
   * @param afterwards runs a task when its thread has finished what it is doing, so that a request
   *     that arrives in one read is not refused
   */
  CallLimiter(int callsMax, long bytesMax, Executor afterwards) {
    this.afterwards = afterwards;
    calls = new Budget(Limit.CALLS, callsMax);
    bytes = new Budget(Limit.INCOMING_BYTES, bytesMax);
  }

  int calls() {
    return Math.toIntExact(calls.taken());
  }

  /** The bytes of incomplete requests. */
  long bytes() {
    return bytes.taken();
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new Receiving();
  }

  @Override
  public <Q, S> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, S> call, Metadata headers, ServerCallHandler<Q, S> next) {
    Receiving receiving = RECEIVING.get();
    if (!receiving.admit(call)) {
      call.close(
          exhausted(
              Limit.CALLS,
              "%,d calls are open, or this connection or address has used its share. %s"
                  .formatted(calls.max(), NOTHING_DONE)),
          new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return new Refusable<>(next.startCall(call, headers), receiving);
  }

  private static Status exhausted(Limit limit, String what) {
    return Status.RESOURCE_EXHAUSTED.withDescription(limit.named(what));
  }

  /** Drops what arrives after the call was refused. */
  private static final class Refusable<Q> extends SimpleForwardingServerCallListener<Q> {
    private final Receiving receiving;

    Refusable(ServerCall.Listener<Q> handler, Receiving receiving) {
      super(handler);
      this.receiving = receiving;
    }

    @Override
    public void onMessage(Q message) {
      if (!receiving.isRefused) {
        super.onMessage(message);
      }
    }

    @Override
    public void onHalfClose() {
      if (!receiving.isRefused) {
        super.onHalfClose();
      }
    }
  }

  /** Counts the arrived bytes of one call. One event at a time, except for its end. */
  private final class Receiving extends ServerStreamTracer {
    private ServerCall<?, ?> call;
    private Origin origin = Origin.NONE;
    private long held;
    private boolean isOverLimit;
    private boolean isOver;
    private volatile boolean isRefused;

    /** Counts the call until its stream is closed, if there is room for one more. */
    synchronized boolean admit(ServerCall<?, ?> newCall) {
      Origin from = GrpcOrigins.of(newCall);
      if (isOver || !calls.tryTake(from, 1, 0)) {
        return isOver;
      }
      call = newCall;
      origin = from;
      return true;
    }

    @Override
    public Context filterContext(Context context) {
      return context.withValue(RECEIVING, this);
    }

    @Override
    public void inboundWireSize(long size) {
      if (lacksRoom(size + PIECE_BYTES)) {
        // Not while the request is being read: closing would break the running deframer.
        afterwards.execute(this::refuse);
      }
    }

    /**
     * Counts bytes that are in memory anyway; returns whether they are the first beyond the limit.
     */
    private synchronized boolean lacksRoom(long size) {
      if (isOver) {
        return false;
      }
      held += size;
      if (bytes.tryTake(origin, size, held - size)) {
        return false;
      }
      bytes.force(origin, size);
      boolean isFirstBeyond = !isOverLimit;
      isOverLimit = true;
      return isFirstBeyond;
    }

    /** Refuses the call, unless its request is complete by now. */
    private void refuse() {
      ServerCall<?, ?> refused;
      synchronized (this) {
        if (call == null || !isOverLimit || isRefused) {
          return;
        }
        isRefused = true;
        refused = call;
      }
      boolean isUnary = refused.getMethodDescriptor().getType().clientSendsOneMessage();
      try {
        refused.close(
            exhausted(
                Limit.INCOMING_BYTES,
                ("incomplete requests use all of their %,d bytes, or this connection or address has"
                        + " used its share. %s")
                    .formatted(
                        bytes.max(),
                        isUnary
                            ? NOTHING_DONE
                            : "The last message was not processed. Open another stream later")),
            new Metadata());
      } catch (IllegalStateException e) {
        LOG.debug("A call was refused after it was answered.", e);
      }
    }

    @Override
    public synchronized void inboundMessageRead(int number, long wireSize, long size) {
      isOverLimit = false;
      giveBack();
    }

    @Override
    public void streamClosed(Status status) {
      synchronized (this) {
        isOver = true;
        giveBack();
        if (call != null) {
          call = null;
          calls.give(origin, 1);
        }
      }
    }

    private void giveBack() {
      bytes.give(origin, held);
      held = 0;
    }
  }
}
