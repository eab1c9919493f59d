package io.entroq.spring;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;

/** How tasks leave the application, with or without traces and metrics. Thread-safe. */
interface TaskSender {
  /** Adds nothing. */
  TaskSender UNTRACED =
      new TaskSender() {
        @Override
        public ModifyResult send(EntroQ queue, String destination, Insert insert) {
          return queue.modify(Modification.insert(insert));
        }

        @Override
        public Insert traced(Insert insert) {
          return insert;
        }
      };

  /**
   * Inserts a task.
   *
   * @param destination the queue that was named, of which the insert may have made another one by a
   *     key
   */
  ModifyResult send(EntroQ queue, String destination, Insert insert);

  /** An insert that goes to the queue some other way, with the trace of the current span. */
  Insert traced(Insert insert);
}
