package io.entroq.client.transport;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A call with a stream of responses and flow control. */
final class ListingCall<Q, A> extends ClientCall.Listener<A> implements Listing<A> {
  /** The maximum number of messages in flight or waiting here. */
  private static final int AHEAD_MAX = 64;

  private final ClientCall<Q, A> call;
  private final CallCompletion end;
  private final Function<Metadata, Optional<Failure>> check;

  /** Messages, then at last a {@link Failure}, or an OK {@link Status}. */
  private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();

  private boolean isOver;

  /**
   * @param check what is wrong with a listing that has ended well, from its trailers
   */
  ListingCall(
      ClientCall<Q, A> call, CallCompletion end, Function<Metadata, Optional<Failure>> check) {
    this.call = call;
    this.end = end;
    this.check = check;
  }

  ListingCall<Q, A> start(Q request, Metadata headers) {
    call.start(this, headers);
    call.request(AHEAD_MAX);
    call.sendMessage(request);
    call.halfClose();
    return this;
  }

  @Override
  public void onMessage(A message) {
    arrived.add(message);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    end.notePosition(trailers);
    if (status.isOk()) {
      arrived.add(check.apply(trailers).<Object>map(failure -> failure).orElse(status));
    } else {
      arrived.add(end.failure(status, trailers, true));
    }
  }

  @Override
  public Optional<A> next(long timeoutMs) {
    if (isOver) {
      return Optional.empty();
    }
    Object next = take(timeoutMs);
    if (next instanceof Failure failure) {
      isOver = true;
      throw new FailedException(failure);
    }
    if (next instanceof Status) {
      isOver = true;
      return Optional.empty();
    }
    call.request(1);
    return Optional.of(message(next));
  }

  /** An item that is neither a failure nor a status is a message. */
  @SuppressWarnings("unchecked")
  private A message(Object next) {
    return (A) next;
  }

  private Object take(long timeoutMs) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          Object next = arrived.poll(timeoutMs, TimeUnit.MILLISECONDS);
          return next == null ? timeout(timeoutMs) : next;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static Failure timeout(long timeoutMs) {
    return new Failure(
        Status.Code.DEADLINE_EXCEEDED, "no message for " + timeoutMs + " ms", List.of(), true);
  }

  @Override
  public void cancel() {
    call.cancel("the listing continues at another server", null);
  }

  @Override
  public void close() {
    isOver = true;
    call.cancel("the listing has ended", null);
  }
}
