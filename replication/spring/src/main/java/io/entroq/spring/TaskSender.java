package io.entroq.spring;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;

/** How tasks leave the application, with or without traces. Thread-safe. */
interface TaskSender {
  /** Adds nothing. */
  TaskSender UNTRACED =
      new TaskSender() {
        @Override
        public ModifyResult modify(EntroQ queue, Modification modification) {
          return queue.modify(modification);
        }

        @Override
        public Insert traced(Insert insert) {
          return insert;
        }
      };

  /** Executes a modification. */
  ModifyResult modify(EntroQ queue, Modification modification);

  /** An insert that goes to the queue some other way, with the trace of the current span. */
  Insert traced(Insert insert);
}
