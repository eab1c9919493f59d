package io.entroq.server.service.grpc;

import io.entroq.server.service.admission.ByteBudget;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the calls of a server over all its connections, and the bytes of requests that are coming
 * in: senders may be slow, and each may have as much on its way as a request may be long. Once a
 * request has come in as a whole, whatever handles it answers for its bytes. Any thread.
 */
final class CallBound extends ServerStreamTracer.Factory implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(CallBound.class);
  private static final Context.Key<Receiving> RECEIVING = Context.key("entroq-receiving");

  private final int callsMax;
  private final ByteBudget bytes;
  private final AtomicInteger calls = new AtomicInteger();

  CallBound(int callsMax, long bytesMax) {
    this.callsMax = callsMax;
    bytes = new ByteBudget(bytesMax);
  }

  /** How many calls there are. */
  int calls() {
    return calls.get();
  }

  /** How many bytes are there of requests that are coming in. */
  long bytes() {
    return bytes.taken();
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    calls.incrementAndGet();
    return new Receiving();
  }

  @Override
  public <Q, S> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, S> call, Metadata headers, ServerCallHandler<Q, S> next) {
    if (calls.get() > callsMax) {
      call.close(
          exhausted("there are as many calls as there may be, %d".formatted(callsMax)),
          new Metadata());
      return new ServerCall.Listener<>() {};
    }
    RECEIVING.get().of(call);
    return next.startCall(call, headers);
  }

  private static Status exhausted(String what) {
    return Status.RESOURCE_EXHAUSTED.withDescription(what + ". Nothing was done. Try again later");
  }

  /** What has come in of one call. Told of one thing after the other, but for its end. */
  private final class Receiving extends ServerStreamTracer {
    private ServerCall<?, ?> call;
    private long held;
    private boolean isOver;

    synchronized void of(ServerCall<?, ?> newCall) {
      call = newCall;
    }

    @Override
    public Context filterContext(Context context) {
      return context.withValue(RECEIVING, this);
    }

    @Override
    public void inboundWireSize(long size) {
      if (!take(size)) {
        // Not from within what reads the request, which goes on to use what closing ends.
        ForkJoinPool.commonPool().execute(this::refuse);
      }
    }

    /** Returns whether there is room; also without, the bytes are there. */
    private synchronized boolean take(long size) {
      if (isOver) {
        return true;
      }
      held += size;
      boolean hasRoom = bytes.tryTake(size);
      if (!hasRoom) {
        bytes.take(size);
      }
      return hasRoom;
    }

    private void refuse() {
      ServerCall<?, ?> refused;
      synchronized (this) {
        refused = isOver ? null : call;
      }
      if (refused == null) {
        return;
      }
      try {
        refused.close(
            exhausted(
                "the requests that are coming in have as many bytes as they may have, %,d"
                    .formatted(bytes.max())),
            new Metadata());
      } catch (IllegalStateException e) {
        LOG.debug("A call was refused that had its answer.", e);
      }
    }

    @Override
    public void inboundMessageRead(int number, long wireSize, long size) {
      giveBack();
    }

    @Override
    public void streamClosed(Status status) {
      synchronized (this) {
        isOver = true;
        call = null;
      }
      giveBack();
      calls.decrementAndGet();
    }

    private synchronized void giveBack() {
      bytes.give(held);
      held = 0;
    }
  }
}
