package io.entroq.simulator.disk;

/** A name was added, removed, or moved. The former or the new location is null if there is none. */
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

  /** Whether it names this node. */
  boolean makes(Node other) {
    return to != null && node.equals(other);
  }

  /** The node that had the new name before; null if none. */
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
