package io.entroq.engine.local;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.call.RequestFailures;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;

/** Passes the outcome of a request to the {@link Completion} of the caller that submitted it. */
final class CompletionAdapter {
  private final RequestFailures failures;
  private final Completion completion;

  /** Reads a page, which stays readable after the completion; null: the result is no page. */
  private final ResultDecoder page;

  CompletionAdapter(RequestFailures failures, Completion completion) {
    this(failures, completion, null);
  }

  CompletionAdapter(RequestFailures failures, Completion completion, ResultDecoder page) {
    this.failures = failures;
    this.completion = completion;
    this.page = page;
  }

  /** Takes a slot that is done. */
  void complete(RequestSlot slot) {
    try {
      if (slot.outcome() != RequestOutcome.REPLIED) {
        completion.onFailure(failures.of(slot));
      } else if (page != null) {
        page.wrap(slot.replyBuffer(), 0, slot.replyLength());
        completion.onResult(page);
      } else {
        ResultDecoder result = ResultDecoders.read(slot);
        completion.onResult(result);
        ResultDecoders.back(result);
      }
    } catch (Throwable t) {
      // A completion must not throw. If it does, the thread still has others to call.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, t);
    }
  }
}
