package io.entroq.system.history;

public enum OperationKind {
  /** Inserts, changes and deletes in one step, and perhaps a claim after them. */
  MODIFY,
  /** A claim, waiting or not. */
  CLAIM,
  /** A read of tasks by id. */
  READ,
  /** A listing of all tasks, while no caller writes and all members agree. */
  AUDIT
}
