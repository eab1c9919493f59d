package io.entroq.service.call;

import io.grpc.Status;

/** Hears how one request has ended, once. Any thread; neither blocks nor throws. */
@FunctionalInterface
public interface CallEnd {
  /**
   * It has.
   *
   * @param code OK once the answer is handed over; CANCELLED if nobody waits for it any more
   */
  void ended(Status.Code code);
}
