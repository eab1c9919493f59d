package io.entroq.engine.listing;

import org.agrona.DirectBuffer;

/** Takes the namespaces of a listing, on the thread that owns the state machine. */
public interface NamespaceVisitor {

  /**
   * A namespace; nothing of it is valid after the call.
   *
   * @param docs how many docs it has
   * @param claimed how many of them somebody holds
   * @return false if it is not taken for want of room: the listing stops in front of it
   */
  boolean onNamespace(DirectBuffer name, int offset, int length, int docs, int claimed);
}
