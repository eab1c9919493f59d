package io.entroq.simulator.call;

import io.entroq.codec.result.ResultDecoder;

/** Observes a listing, slice by slice. */
public interface ReadWatcher {
  /** Checks nothing. */
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
   * @param page the current page so far; valid until the next slice
   */
  void onSlice(ResultDecoder page);

  /** The page is complete, and another follows. */
  void onPageEnd();

  /** The listing is complete. */
  void onEnd();
}
