package io.entroq.engine.embedded;

import io.entroq.api.EntroQException;
import io.entroq.codec.command.MalformedMessageException;
import io.entroq.codec.wire.InvalidIdException;
import java.util.concurrent.CompletableFuture;

/** Takes requests of the API through the engine and back, blocking or not. Any thread. */
final class Caller {
  private final EngineState state;
  private final HandOver handOver;
  private final int commandBytesMax;

  Caller(EngineState state, HandOver handOver, int commandBytesMax) {
    this.state = state;
    this.handOver = handOver;
    this.commandBytesMax = commandBytesMax;
  }

  /** Blocks until there is an answer; an interrupt is pending afterwards. */
  <T> T call(Request<T> request) {
    RequestSlot slot = prepare(request);
    try {
      T answer = exchange(request, slot);
      while (request.goesOn()) {
        slot.rearm();
        slot.commandLength = request.encode(slot);
        answer = exchange(request, slot);
      }
      return answer;
    } finally {
      handOver.release(slot);
    }
  }

  private <T> T exchange(Request<T> request, RequestSlot slot) {
    handOver.submit(slot);
    handOver.await(slot);
    return outcome(request, slot);
  }

  /** Blocks at most while there is no room; the rest comes with the future. */
  <T> CompletableFuture<T> callAsync(Request<T> request) {
    CompletableFuture<T> future = new CompletableFuture<>();
    try {
      RequestSlot slot = prepare(request);
      slot.completion = done -> complete(future, request, done);
      handOver.submit(slot);
    } catch (EntroQException e) {
      future.completeExceptionally(e);
    }
    return future;
  }

  /** Encodes the request to a slot of its own, to be handed over. */
  private RequestSlot prepare(Request<?> request) {
    checkLength(request.bytesAtLeast());
    RequestSlot slot = handOver.acquire(request.kind(), false, request.bytesAtLeast());
    encode(request, slot);
    return slot;
  }

  /** Encodes the request; a slot for which that fails is released. */
  void encode(Request<?> request, RequestSlot slot) {
    boolean isEncoded = false;
    try {
      slot.commandLength = request.encode(slot);
      checkLength(slot.commandLength);
      isEncoded = true;
    } catch (InvalidIdException | MalformedMessageException e) {
      throw new EntroQException.InvalidArgument(e.getMessage(), e);
    } finally {
      if (!isEncoded) {
        handOver.release(slot);
      }
    }
  }

  /** Refuses what is longer than a command may be, before anything is made of it. */
  void checkLength(long bytes) {
    if (bytes > commandBytesMax) {
      throw new EntroQException.InvalidArgument(
          "request has " + bytes + " bytes, commandBytesMax allows " + commandBytesMax);
    }
  }

  /** What the caller gets for a slot that is done. */
  <T> T outcome(Request<T> request, RequestSlot slot) {
    return switch (slot.ending()) {
      case REPLIED -> request.answer(slot.reply());
      case REFUSED -> throw refused(slot.cause());
      case NOT_STARTED -> throw notStarted(slot.cause());
      case UNKNOWN -> request.outcomeUnknown(slot.cause());
    };
  }

  /** Made here, so that it shows where the caller stands. */
  private static EntroQException refused(Throwable cause) {
    return cause instanceof EntroQException.ResourceExhausted
        ? new EntroQException.ResourceExhausted(cause.getMessage())
        : new EntroQException.InvalidArgument(cause.getMessage(), cause);
  }

  private EntroQException notStarted(Throwable cause) {
    return cause == null
        ? state.closed()
        : new EntroQException.Unavailable("the engine has stopped: " + cause, cause);
  }

  private <T> void complete(CompletableFuture<T> future, Request<T> request, RequestSlot slot) {
    T answer;
    try {
      answer = outcome(request, slot);
      if (request.goesOn()) {
        slot.rearm();
        slot.commandLength = request.encode(slot);
        handOver.submit(slot);
        return;
      }
    } catch (Throwable t) {
      handOver.release(slot);
      future.completeExceptionally(t);
      return;
    }
    handOver.release(slot);
    future.complete(answer);
  }
}
