package io.entroq.engine.listing;

import org.agrona.DirectBuffer;

/** Receives the namespaces of a listing, on the applying thread. */
public interface NamespaceVisitor {

  /**
   * Visits a namespace; the arguments are valid only during the call.
   *
   * @param docs number of docs
   * @param claimed number of docs under a current lease
   * @return false if there is no room for it: the listing stops before it
   */
  boolean onNamespace(DirectBuffer name, int offset, int length, int docs, int claimed);
}
