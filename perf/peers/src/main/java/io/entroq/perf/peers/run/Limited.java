package io.entroq.perf.peers.run;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls with a time limit. */
final class Limited {
  private Limited() {}

  /**
   * Calls on a new thread, which is interrupted and abandoned after the limit.
   *
   * @throws TimeoutException after the limit; the message names what was called
   * @throws Exception what the call threw
   */
  static <T> T call(String what, Duration limit, Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    Thread thread = new Thread(task, what);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } catch (TimeoutException e) {
      task.cancel(true);
      throw (Exception)
          new TimeoutException(what + " took longer than " + limit.toSeconds() + " s").initCause(e);
    }
  }
}
