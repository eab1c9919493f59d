package io.entroq.simulator.client.worker;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;

/** What a process does with the tasks it is given. */
interface Handling {
  /** {@link io.entroq.api.worker.WorkerBuilder#maxClaims}. */
  int maxClaims();

  /** How it reads values. */
  ValueCodec<Work> codec();

  /**
   * Begins to work on a task.
   *
   * @param queue what the process that does it asks
   * @return how that will go; null if the process dies of it
   */
  HandlerRun begin(Task task, Work work, EntroQ queue);

  /**
   * What a task has come to is committed.
   *
   * @param task as it was claimed
   */
  void committed(Task task, Outcome outcome);
}
