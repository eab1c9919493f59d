package io.entroq.engine.memory;

/**
 * Two numbers that compare copies of the state: a hash chain over what happened, and a sum over
 * what exists, which does not depend on order.
 */
public final class Digest {

  private long history;
  private long content;

  /** Adds an event and a detail of it to the history. */
  public void happened(long what, long detail) {
    history = Mix.fold(history, Mix.share(0, what) + Mix.share(1, detail));
  }

  /** Adds the hash of a new or changed object. */
  public void add(long hash) {
    content += Mix.mix(hash);
  }

  /** Removes the hash that an object had until now. */
  public void remove(long hash) {
    content -= Mix.mix(hash);
  }

  /** Continues from a former {@link #history} and {@link #content}. */
  public void restore(long formerHistory, long formerContent) {
    history = formerHistory;
    content = formerContent;
  }

  public long history() {
    return history;
  }

  public long content() {
    return content;
  }
}
