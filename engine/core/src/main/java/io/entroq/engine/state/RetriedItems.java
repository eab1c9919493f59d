package io.entroq.engine.state;

import io.entroq.engine.receipt.Receipt;
import io.entroq.engine.receipt.TaskFlyweight;

/** The tasks and docs of a retried request. The receipt does not keep what the retry repeats. */
interface RetriedItems {

  /** The items of a request without writes and docs. */
  RetriedItems NONE =
      new RetriedItems() {
        @Override
        public boolean isClaimDocs() {
          return false;
        }
      };

  /** The role of a changed task in the reply, by its position among the changes, from 0. */
  default int changedRole(int index) {
    return ResultSink.ROLE_CHANGED;
  }

  /** Whether the request claims docs. */
  boolean isClaimDocs();

  /**
   * Fills in what the request wrote to a task that has changed since.
   *
   * @param role role of the task in the reply
   * @param index position among the inserted or the changed tasks, from 0
   * @param thenMs the log time at which the request was executed
   */
  default void describe(TaskFlyweight task, int role, int index, long thenMs) {}

  /**
   * Fills in what the request says about a task that has changed since, and the state decided on.
   */
  default void describeDecided(TaskFlyweight task, Receipt receipt, int role, int index) {}

  /** Whether a doc set that the request claimed has changed since. */
  default boolean areDocsLost(Receipt receipt) {
    return false;
  }

  /** Shows the policies of the reply as they are now. */
  default void repeatPolicies() {}

  /** Repeats the docs and doc sets of the reply. */
  default void repeatDocs(Receipt receipt) {}
}
