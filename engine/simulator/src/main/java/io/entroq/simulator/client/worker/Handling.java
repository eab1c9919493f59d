package io.entroq.simulator.client.worker;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;

/** What a process does with its tasks. */
interface Handling {
  /** {@link io.entroq.api.worker.WorkerBuilder#maxClaims}. */
  int maxClaims();

  /** The codec of the tasks' values. */
  ValueCodec<Work> codec();

  /**
   * Starts the work on a task.
   *
   * @param queue the queue as the process sees it
   * @return the plan of the run; null if the process dies
   */
  HandlerRun begin(Task task, Work work, EntroQ queue);

  /**
   * The outcome of a task is committed.
   *
   * @param task the task as it was claimed
   */
  void committed(Task task, Outcome outcome);
}
