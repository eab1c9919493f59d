package io.entroq.service.redrive;

import io.entroq.service.limit.Limit;
import io.entroq.service.translation.RefusedException;
import java.util.concurrent.Semaphore;

/** Bounds the redrives of a server that run at a time. Any thread. */
public final class Redrives {
  private static final int RUNNING_MAX = Limit.REDRIVES.standard();

  /** Each takes the memory of a batch, and a place among the streams. */
  private final Semaphore places = new Semaphore(RUNNING_MAX);

  /** Takes a place, or refuses. */
  void begin() {
    if (!places.tryAcquire()) {
      throw new RefusedException(
          Limit.REDRIVES.refusal(
              "%d are running. Nothing was done. Try again later".formatted(RUNNING_MAX)));
    }
  }

  /** Gives a place back. */
  void end() {
    places.release();
  }
}
