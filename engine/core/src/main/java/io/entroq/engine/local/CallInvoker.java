package io.entroq.engine.local;

import io.entroq.api.EntroQException;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.wire.InvalidIdException;
import io.entroq.engine.call.ApiRequest;
import io.entroq.engine.call.RequestFailures;
import io.entroq.engine.request.RequestSlot;
import java.util.concurrent.CompletableFuture;

/** Takes requests of the API through the engine and back, blocking or not. Any thread. */
final class CallInvoker {
  private final RequestFailures failures;
  private final Submitter handOver;

  CallInvoker(RequestFailures failures, Submitter handOver) {
    this.failures = failures;
    this.handOver = handOver;
  }

  /** Blocks until there is an answer; an interrupt is pending afterwards. */
  <T> T call(ApiRequest<T> request) {
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

  private <T> T exchange(ApiRequest<T> request, RequestSlot slot) {
    handOver.submit(slot);
    handOver.await(slot);
    return outcome(request, slot);
  }

  /** Blocks at most while there is no room; the rest comes with the future. */
  <T> CompletableFuture<T> callAsync(ApiRequest<T> request) {
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
  private RequestSlot prepare(ApiRequest<?> request) {
    long bytes = request.bytesAtLeast();
    handOver.checkLength(bytes);
    RequestSlot slot = handOver.acquire(request.kind(), false, bytes);
    encode(request, slot);
    return slot;
  }

  /** Encodes the request; a slot for which that fails is released. */
  void encode(ApiRequest<?> request, RequestSlot slot) {
    boolean isEncoded = false;
    try {
      slot.commandLength = request.encode(slot);
      handOver.checkLength(slot.commandLength);
      isEncoded = true;
    } catch (InvalidIdException | MalformedMessageException e) {
      throw new EntroQException.InvalidArgument(e.getMessage(), e);
    } finally {
      if (!isEncoded) {
        handOver.release(slot);
      }
    }
  }

  /** What the caller gets for a slot that is done. */
  <T> T outcome(ApiRequest<T> request, RequestSlot slot) {
    return switch (slot.ending()) {
      case REPLIED -> request.answer(slot);
      case REFUSED, NOT_STARTED -> throw failures.of(slot);
      case UNKNOWN -> request.outcomeUnknown(slot.cause());
    };
  }

  private <T> void complete(CompletableFuture<T> future, ApiRequest<T> request, RequestSlot slot) {
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
