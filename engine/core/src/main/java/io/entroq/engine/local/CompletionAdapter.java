package io.entroq.engine.local;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.call.RequestFailures;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;

/** Tells whoever has submitted a request what has become of it. */
final class CompletionAdapter {
  private final RequestFailures failures;
  private final Completion completion;

  CompletionAdapter(RequestFailures failures, Completion completion) {
    this.failures = failures;
    this.completion = completion;
  }

  /** The slot is done. */
  void tell(RequestSlot slot) {
    if (slot.ending() != RequestOutcome.REPLIED) {
      tell(slot, null);
      return;
    }
    ResultDecoder result = ResultDecoders.read(slot);
    tell(slot, result);
    ResultDecoders.back(result);
  }

  /**
   * The slot is done.
   *
   * @param result null if there is none
   */
  void tell(RequestSlot slot, ResultDecoder result) {
    try {
      if (result != null) {
        completion.onResult(result);
      } else {
        completion.onFailure(failures.of(slot));
      }
    } catch (Throwable t) {
      // It was not to throw. All the same the thread has others to tell.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, t);
    }
  }
}
