package io.entroq.api.worker;

/**
 * Does the work of one task.
 *
 * @param <T> the type of the decoded values
 */
@FunctionalInterface
public interface Handler<T> {
  /**
   * Does the work and returns what to do with the task.
   *
   * <p>Called on the worker's threads, concurrently if it has several. The lease is renewed in the
   * meantime. If the lease is lost, or the run time is over, the thread is interrupted, {@link
   * WorkContext#isCancelled()} becomes true, and the result or exception is ignored. Side effects
   * outside of the queue may therefore happen more than once.
   *
   * @param work the task and its context, valid during this call
   * @return what to do with the task; not null
   * @throws Exception the task is retried as with {@link Outcome#retry(String)}, unless it is an
   *     {@link OutcomeException}
   */
  Outcome handle(WorkContext<T> work) throws Exception;
}
