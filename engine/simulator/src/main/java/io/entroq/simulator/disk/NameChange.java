package io.entroq.simulator.disk;

/**
 * A name was made, removed, or both at once, as by a rename.
 *
 * <p>Where the node had its name before, or nulls; where it has it now, or nulls.
 */
final class NameChange {
  private final Node node;
  private final DirectoryNode from;
  private final String fromName;
  private final DirectoryNode to;
  private final String toName;
  private Node replaced;
  private boolean isPromised;

  NameChange(Node node, DirectoryNode from, String fromName, DirectoryNode to, String toName) {
    this.node = node;
    this.from = from;
    this.fromName = fromName;
    this.to = to;
    this.toName = toName;
  }

  DirectoryNode from() {
    return from;
  }

  DirectoryNode to() {
    return to;
  }

  /** Whether it gives this node its name. */
  boolean makes(Node other) {
    return to != null && node.equals(other);
  }

  /** What had the name that the node has got; null if nothing. */
  Node replaced() {
    return replaced;
  }

  boolean isPromised() {
    return isPromised;
  }

  void promise() {
    isPromised = true;
  }

  void make() {
    if (from != null) {
      from.remove(fromName);
    }
    if (to != null) {
      replaced = to.put(toName, node);
    }
  }

  void undo() {
    if (to != null) {
      to.remove(toName);
      if (replaced != null) {
        to.put(toName, replaced);
      }
    }
    if (from != null) {
      from.put(fromName, node);
    }
  }
}
