package io.entroq.engine.state;

import io.entroq.engine.task.Bytes;

/**
 * The docs of a request that is asked again, as it says them again: so its receipt need not keep
 * everything.
 */
interface RequestDocs {

  /** Of a request that has none. */
  RequestDocs NONE =
      new RequestDocs() {
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
}
