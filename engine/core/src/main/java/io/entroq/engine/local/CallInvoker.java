package io.entroq.engine.local;

import io.entroq.api.EntroQException;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.wire.InvalidIdException;
import io.entroq.engine.call.ApiRequest;
import io.entroq.engine.call.RequestFailures;
import io.entroq.engine.request.RequestSlot;
import java.util.concurrent.CompletableFuture;

/** Runs calls of the API through the engine, blocking or not. Any thread. */
final class CallInvoker {
  private final RequestFailures failures;
  private final Submitter submitter;

  CallInvoker(RequestFailures failures, Submitter submitter) {
    this.failures = failures;
    this.submitter = submitter;
  }

  /** Blocks until there is an answer; keeps the interrupt flag. */
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
      submitter.release(slot);
    }
  }

  private <T> T exchange(ApiRequest<T> request, RequestSlot slot) {
    submitter.submit(slot);
    submitter.await(slot);
    return outcome(request, slot);
  }

  /** Blocks only for room; the answer comes with the future. */
  <T> CompletableFuture<T> callAsync(ApiRequest<T> request) {
    CompletableFuture<T> future = new CompletableFuture<>();
    try {
      RequestSlot slot = prepare(request);
      slot.completion = done -> complete(future, request, done);
      submitter.submit(slot);
    } catch (EntroQException e) {
      future.completeExceptionally(e);
    }
    return future;
  }

  /** Encodes the request into a slot, ready to submit. */
  private RequestSlot prepare(ApiRequest<?> request) {
    long bytes = request.bytesAtLeast();
    submitter.checkLength(bytes);
    RequestSlot slot = submitter.acquire(request.kind(), false, bytes);
    encode(request, slot);
    return slot;
  }

  /** Encodes the request; releases the slot if that fails. */
  void encode(ApiRequest<?> request, RequestSlot slot) {
    boolean isEncoded = false;
    try {
      slot.commandLength = request.encode(slot);
      submitter.checkLength(slot.commandLength);
      isEncoded = true;
    } catch (InvalidIdException | MalformedMessageException e) {
      throw new EntroQException.InvalidArgument(e.getMessage(), e);
    } finally {
      if (!isEncoded) {
        submitter.release(slot);
      }
    }
  }

  /** The caller's answer for a slot that is done. */
  <T> T outcome(ApiRequest<T> request, RequestSlot slot) {
    return switch (slot.outcome()) {
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
        submitter.submit(slot);
        return;
      }
    } catch (Throwable t) {
      submitter.release(slot);
      future.completeExceptionally(t);
      return;
    }
    submitter.release(slot);
    future.complete(answer);
  }
}
