package io.entroq.engine.embedded;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;

/** Tells whoever has submitted a request what has become of it. */
final class Teller {
  private final Failures failures;
  private final Completion completion;

  Teller(Failures failures, Completion completion) {
    this.failures = failures;
    this.completion = completion;
  }

  /** The slot is done. */
  void tell(RequestSlot slot) {
    if (slot.ending() != Ending.REPLIED) {
      tell(slot, null);
      return;
    }
    ResultDecoder result = ResultReaders.read(slot);
    tell(slot, result);
    ResultReaders.back(result);
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
