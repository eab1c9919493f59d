package io.entroq.codec.result;

/** Reads a ListNamespaces. */
public final class ListNamespacesDecoder extends NameQueryDecoder {
  /** A decoder of nothing until it is wrapped. */
  public ListNamespacesDecoder() {
    super("ListNamespaces");
  }
}
