package io.entroq.engine.doc;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.task.Bytes;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** The stores of docs together, kept in step as the state machine keeps them. */
final class Docs implements AutoCloseable {

  final Arena arena = new Arena();
  final NamespaceStore namespaces = new NamespaceStore(arena);
  final DocStore store = new DocStore(arena, namespaces, 4);
  final KeyTree tree = new KeyTree(namespaces, store);
  final LeaseIndex leases = new LeaseIndex(namespaces, store);
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

  int insert(String namespace, long id, byte[] itsKey, byte[] itsSecondary) {
    byte[] name = bytes(namespace);
    int slot = namespaces.findOrAdd(new UnsafeBuffer(name), 0, name.length);
    int doc = store.add(slot, id, ~id);
    keys(doc, itsKey, itsSecondary);
    tree.add(doc);
    return doc;
  }

  void changeKeys(int doc, byte[] itsKey, byte[] itsSecondary) {
    tree.remove(doc);
    keys(doc, itsKey, itsSecondary);
    tree.add(doc);
  }

  private void keys(int doc, byte[] itsKey, byte[] itsSecondary) {
    key.set(new UnsafeBuffer(itsKey), 0, itsKey.length);
    secondary.set(new UnsafeBuffer(itsSecondary), 0, itsSecondary.length);
    store.content(doc, key, secondary, idText, 0, value);
  }

  void lease(int doc, long claimant, long arrivalMs, long nowMs) {
    leases.remove(doc);
    store.claimant(doc, claimant, 0, false);
    store.arrivalMs(doc, arrivalMs);
    leases.add(doc, nowMs);
  }

  void delete(int doc) {
    tree.remove(doc);
    leases.remove(doc);
    store.remove(doc);
  }

  boolean isEmpty() {
    return store.size() == 0 && namespaces.size() == 0 && arena.usedBytes() == 0;
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
    namespaces.close();
    arena.close();
  }
}
