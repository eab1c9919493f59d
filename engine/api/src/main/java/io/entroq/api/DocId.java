package io.entroq.api;

/**
 * Identifies a doc by namespace and an id that is unique there. Immutable.
 *
 * @param namespace 1 to 1,024 bytes of UTF-8; a namespace exists while it has docs
 * @param id 1 to 1,024 bytes of UTF-8
 */
public record DocId(String namespace, String id) {
  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public DocId {
    Checks.namespace(namespace);
    Checks.docId(id);
  }

  @Override
  public String toString() {
    return namespace + "/" + id;
  }
}
