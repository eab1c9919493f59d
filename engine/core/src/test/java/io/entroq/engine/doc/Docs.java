package io.entroq.engine.doc;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** The stores of docs together, kept in step as the state machine keeps them. */
final class Docs implements AutoCloseable {

  final Arena arena = new Arena();
  final NamespaceStore namespaces = new NamespaceStore(arena);
  final DocSetStore sets = new DocSetStore(arena, namespaces, 4);
  final DocStore store = new DocStore(arena, namespaces, sets, 4);
  final KeyTree tree = new KeyTree(namespaces, store);
  final LeaseIndex leases = new LeaseIndex(namespaces, sets);
  private final Bytes key = new Bytes();
  private final Bytes secondary = new Bytes();
  private final Bytes idText = new Bytes();
  private final Bytes value = new Bytes();

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  int namespace(String name) {
    byte[] bytes = bytes(name);
    return namespaces.find(new UnsafeBuffer(bytes), 0, bytes.length);
  }

  /** The set of a key, which is added if necessary. */
  int set(String namespace, byte[] itsKey) {
    byte[] name = bytes(namespace);
    int owner = namespaces.findOrAdd(new UnsafeBuffer(name), 0, name.length);
    UnsafeBuffer buffer = new UnsafeBuffer(itsKey);
    int set = sets.find(owner, buffer, 0, itsKey.length);
    return set != Slab.NONE ? set : sets.add(owner, buffer, 0, itsKey.length);
  }

  int insert(String namespace, long id, byte[] itsKey, byte[] itsSecondary) {
    int set = set(namespace, itsKey);
    leases.remove(set);
    int doc = store.add(set, id, ~id);
    key.set(new UnsafeBuffer(itsKey), 0, itsKey.length);
    secondary.set(new UnsafeBuffer(itsSecondary), 0, itsSecondary.length);
    store.content(doc, key, secondary, idText, 0, value);
    tree.add(doc);
    leases.add(set, Long.MIN_VALUE);
    return doc;
  }

  void lease(int set, long claimant, long arrivalMs, long nowMs) {
    leases.remove(set);
    sets.claimant(set, claimant, 0, false);
    sets.arrivalMs(set, arrivalMs);
    leases.add(set, nowMs);
  }

  /** Removes a doc, and its set with the last doc. */
  void delete(int doc) {
    int set = store.set(doc);
    tree.remove(doc);
    leases.remove(set);
    store.remove(doc);
    if (sets.docCount(set) == 0) {
      sets.remove(set);
    } else {
      leases.add(set, Long.MIN_VALUE);
    }
  }

  boolean isEmpty() {
    return store.size() == 0
        && sets.size() == 0
        && namespaces.size() == 0
        && arena.usedBytes() == 0;
  }

  int claimed(int namespace, long nowMs, int steps) {
    LeaseCount count = new LeaseCount();
    while (!leases.count(namespace, nowMs, count, steps)) {
      // Goes on where it stands.
    }
    return count.claimed();
  }

  @Override
  public void close() {
    tree.close();
    store.close();
    sets.close();
    namespaces.close();
    arena.close();
  }
}
