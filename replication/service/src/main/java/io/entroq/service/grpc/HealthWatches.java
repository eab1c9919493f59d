package io.entroq.service.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open calls that watch the server's health. They would never end, so this ends them when the
 * server stops. Any thread.
 */
final class HealthWatches implements ServerInterceptor {
  private final Set<Watch<?, ?>> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isEnding;

  /** Ends all watches, and later ones, after their last message. */
  void end() {
    isEnding = true;
    open.forEach(Watch::end);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (call.getMethodDescriptor().getType() == MethodType.UNARY) {
      return next.startCall(call, headers);
    }
    Watch<Q, A> watch = new Watch<>(call);
    open.add(watch);
    return new SimpleForwardingServerCallListener<>(next.startCall(watch, headers)) {
      @Override
      public void onCancel() {
        open.remove(watch);
        super.onCancel();
      }

      @Override
      public void onComplete() {
        open.remove(watch);
        super.onComplete();
      }
    };
  }

  /** Drops messages after its end. */
  private final class Watch<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private boolean isClosed;

    Watch(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public synchronized void sendHeaders(Metadata headers) {
      if (!isClosed) {
        super.sendHeaders(headers);
      }
    }

    @Override
    public synchronized void sendMessage(A message) {
      if (!isClosed) {
        super.sendMessage(message);
        if (isEnding) {
          end();
        }
      }
    }

    @Override
    public synchronized void close(Status status, Metadata trailers) {
      if (!isClosed) {
        isClosed = true;
        super.close(status, trailers);
      }
    }

    void end() {
      close(Status.UNAVAILABLE.withDescription("the server is shutting down"), new Metadata());
    }
  }
}
