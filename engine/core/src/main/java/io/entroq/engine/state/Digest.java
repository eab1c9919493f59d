package io.entroq.engine.state;

import io.entroq.engine.memory.Mix;

/**
 * Two numbers that compare copies of the state: a hash chain over what happened, and a sum over
 * what exists, which does not depend on order.
 */
final class Digest {

  private long history;
  private long content;

  /** Something happened: what, and a detail. */
  void happened(long what, long detail) {
    history = Mix.fold(history, Mix.share(0, what) + Mix.share(1, detail));
  }

  /** An object has come into being, or has become this. */
  void add(long hash) {
    content += Mix.mix(hash);
  }

  /** An object is no more, or was this before. */
  void remove(long hash) {
    content -= Mix.mix(hash);
  }

  /** Goes on from what was once {@link #history} and {@link #content}. */
  void restore(long formerHistory, long formerContent) {
    history = formerHistory;
    content = formerContent;
  }

  long history() {
    return history;
  }

  long content() {
    return content;
  }
}
