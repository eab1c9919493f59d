package io.entroq.engine.listing;

import io.entroq.engine.doc.DocView;

/** Takes the docs of a listing, on the thread that owns the state machine. */
public interface DocVisitor {

  /**
   * A doc; nothing of it is valid after the call.
   *
   * @return false if it is not taken for want of room: the listing stops in front of it
   */
  boolean onDoc(DocView doc);
}
