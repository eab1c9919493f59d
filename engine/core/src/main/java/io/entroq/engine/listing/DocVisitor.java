package io.entroq.engine.listing;

import io.entroq.engine.doc.DocView;

/** Receives the docs of a listing, on the applying thread. */
public interface DocVisitor {

  /**
   * Visits a doc, which is valid only during the call.
   *
   * @return false if there is no room for it: the listing stops before it
   */
  boolean onDoc(DocView doc);
}
