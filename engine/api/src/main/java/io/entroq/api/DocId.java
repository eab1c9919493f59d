package io.entroq.api;

/**
 * The name of a doc: its namespace, and an id that is unique there. Immutable.
 *
 * @param namespace where it is, 1 to 1,024 bytes of UTF-8; a namespace comes into being with its
 *     first doc and goes with its last
 * @param id 1 to 1,024 bytes of UTF-8
 */
public record DocId(String namespace, String id) {
  /**
   * Checks the components.
   *
   * @throws EntroQException.InvalidArgument if one is out of its range
   */
  public DocId {
    Checks.namespace(namespace);
    Checks.docId(id);
  }

  @Override
  public String toString() {
    return namespace + "/" + id;
  }
}
