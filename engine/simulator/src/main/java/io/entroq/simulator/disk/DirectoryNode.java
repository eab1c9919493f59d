package io.entroq.simulator.disk;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A directory: its entries, sorted by name. */
final class DirectoryNode extends Node {
  private final TreeMap<String, Node> entries = new TreeMap<>();
  private final NameChanges changes;

  DirectoryNode(NameChanges changes) {
    this.changes = changes;
  }

  Node get(String name) {
    return entries.get(name);
  }

  /** Sets an entry and returns the former one, or null. */
  Node put(String name, Node node) {
    return entries.put(name, node);
  }

  void remove(String name) {
    entries.remove(name);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  List<String> names() {
    return List.copyOf(entries.keySet());
  }

  Collection<Map.Entry<String, Node>> entries() {
    return entries.entrySet();
  }

  @Override
  boolean isDirectory() {
    return true;
  }

  @Override
  long size() {
    return 0;
  }

  @Override
  void force() {
    changes.force(this);
  }

  @Override
  void promise() {
    changes.promise(this);
  }
}
