package io.entroq.simulator.call;

import io.entroq.codec.result.ResultDecoder;

/** Observes a listing, slice by slice. */
public interface ReadWatcher {
  /** For those that nobody can judge. */
  ReadWatcher NONE =
      new ReadWatcher() {
        @Override
        public void onSlice(ResultDecoder page) {}

        @Override
        public void onPageEnd() {}

        @Override
        public void onEnd() {}
      };

  /**
   * A slice is over.
   *
   * @param page all that the present page holds by now; valid until the next slice
   */
  void onSlice(ResultDecoder page);

  /** The page is complete, and another one follows. */
  void onPageEnd();

  /** Nothing more is shown. */
  void onEnd();
}
