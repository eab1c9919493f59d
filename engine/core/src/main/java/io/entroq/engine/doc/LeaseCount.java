package io.entroq.engine.doc;

/** How many docs of a namespace are claimed: a walk that may be interrupted, and its outcome. */
public final class LeaseCount {

  int position;
  int expired;
  int claimed;

  /** Begins anew. */
  public void clear() {
    position = 0;
    expired = 0;
    claimed = 0;
  }

  /** Docs that somebody holds; true once all are counted. */
  public int claimed() {
    return claimed;
  }
}
