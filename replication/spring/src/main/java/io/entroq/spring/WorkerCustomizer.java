package io.entroq.spring;

import io.entroq.api.worker.WorkerBuilder;

/**
 * Configures the workers of listeners beyond {@link QueueListener}, for example their backoff,
 * their run time or their error queues. (A {@link io.entroq.api.worker.WorkerListener} that is a
 * bean hears of all of them without one.) All beans of this type are called, in their order, before
 * a listener starts, and once more to check its settings: do nothing but configure.
 */
@FunctionalInterface
public interface WorkerCustomizer {
  /**
   * Configures a worker.
   *
   * @param listener the name of its listener
   * @param worker has the settings of the listener already
   */
  void customize(String listener, WorkerBuilder<?> worker);
}
