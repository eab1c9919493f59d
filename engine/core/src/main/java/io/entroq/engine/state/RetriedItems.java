package io.entroq.engine.state;

import io.entroq.engine.task.Bytes;

/** The tasks and docs of a retried request. The receipt does not keep what the retry repeats. */
interface RetriedItems {

  /** The items of a request without writes and docs. */
  RetriedItems NONE =
      new RetriedItems() {
        @Override
        public void namespace(int index, Bytes into) {
          into.clear();
        }

        @Override
        public boolean isClaim() {
          return false;
        }
      };

  /**
   * Points to the namespace of a doc.
   *
   * @param index position of the doc in the reply, from 0
   */
  void namespace(int index, Bytes into);

  /** The role of a changed task in the reply, by its position among the changes, from 0. */
  default int changedRole(int index) {
    return ResultSink.ROLE_CHANGED;
  }

  /** Whether the request claims docs. */
  boolean isClaim();

  /**
   * Fills in what the request wrote to a task that has changed since.
   *
   * @param role role of the task in the reply
   * @param index position among the inserted or the changed tasks, from 0
   * @param thenMs the log time at which the request was executed
   */
  default void describe(TaskFlyweight task, int role, int index, long thenMs) {}

  /**
   * Fills in what the request wrote to a doc that has changed since.
   *
   * @param index position of the doc in the reply, from 0
   * @param thenMs the log time at which the request was executed
   */
  default void describe(DocFlyweight doc, int index, long thenMs) {}
}
