package io.entroq.engine.doc;

/** The position and result of an interruptible walk that counts the claimed docs of a namespace. */
public final class LeaseCount {

  int position;
  int expired;
  int claimed;

  public void clear() {
    position = 0;
    expired = 0;
    claimed = 0;
  }

  /** Docs under a current lease; valid once all are counted. */
  public int claimed() {
    return claimed;
  }
}
