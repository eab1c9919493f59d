package io.entroq.api.worker;

/**
 * The work on one task.
 *
 * @param <T> what the values of the tasks are decoded to
 */
@FunctionalInterface
public interface Handler<T> {
  /**
   * Does the work and says what is to become of the task.
   *
   * <p>Called on a thread of the worker, on as many at once as the worker has. The lease is renewed
   * meanwhile. If it is lost, the thread is interrupted and {@link WorkContext#isCancelled()} turns
   * true; whatever is returned or thrown then has no effect. Effects outside of the queue may thus
   * happen more than once.
   *
   * @param work the task and what belongs to it; for this call only
   * @return what is to become of the task; not null
   * @throws Exception anything: the task is retried later, as by {@link Outcome#retry(String)}; an
   *     {@link OutcomeException} says more
   */
  Outcome handle(WorkContext<T> work) throws Exception;
}
