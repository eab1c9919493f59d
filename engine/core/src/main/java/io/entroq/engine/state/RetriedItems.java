package io.entroq.engine.state;

import io.entroq.engine.task.Bytes;

/**
 * The tasks and docs of a retried request. The retry repeats them, so the receipt need not keep
 * everything.
 */
interface RetriedItems {

  /** Of a request that writes nothing and has no docs. */
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
   * @param index of the doc in the answer, from 0
   */
  void namespace(int index, Bytes into);

  /** Whether docs were to be claimed. */
  boolean isClaim();

  /**
   * Tells what the request made of a task that has moved on since, if it is one that writes.
   *
   * @param role of the task in the answer: {@link ResultSink#ROLE_INSERTED} or {@link
   *     ResultSink#ROLE_CHANGED}
   * @param index among those of its role, from 0
   * @param thenMs the log time at which the request was executed
   */
  default void tell(TaskFlyweight task, int role, int index, long thenMs) {}

  /**
   * Tells what the request made of a doc that has moved on since, if it is one that writes.
   *
   * @param index of the doc in the answer, from 0
   * @param thenMs the log time at which the request was executed
   */
  default void tell(DocFlyweight doc, int index, long thenMs) {}
}
