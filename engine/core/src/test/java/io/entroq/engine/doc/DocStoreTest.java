package io.entroq.engine.doc;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenArena;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.task.Bytes;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DocStoreTest {

  private static final byte[] NOTHING = {};

  private final Docs docs = new Docs();

  @AfterEach
  void close() {
    docs.close();
  }

  private static Bytes of(String text) {
    byte[] bytes = Docs.bytes(text);
    return new Bytes().set(new UnsafeBuffer(bytes), 0, bytes.length);
  }

  private static String text(Bytes bytes) {
    return bytes.buffer().getStringWithoutLengthUtf8(bytes.offset(), bytes.length());
  }

  @Test
  void shouldKeepThePartsOfAContentApart() {
    int doc = docs.insert("one", 1, NOTHING, NOTHING);
    docs.store.content(doc, of("ke"), of("y2"), of("an id"), 2, of("value"));
    long hash = docs.store.contentHash(doc);
    Bytes part = new Bytes();
    docs.store.key(doc, part);
    assertThat(text(part)).isEqualTo("ke");
    docs.store.secondaryKey(doc, part);
    assertThat(text(part)).isEqualTo("y2");
    docs.store.idText(doc, part);
    assertThat(text(part)).isEqualTo("an id");
    docs.store.value(doc, part);
    assertThat(text(part)).isEqualTo("value");
    assertThat(docs.store.valueKind(doc)).isEqualTo(2);
    docs.store.content(doc, of("key"), of("2"), of("an id"), 2, of("value"));
    assertThat(docs.store.contentHash(doc)).isNotEqualTo(hash);
  }

  @Test
  void shouldTakeKeysOverFromTheContentBefore() {
    int doc = docs.insert("one", 1, Docs.bytes("key"), Docs.bytes("second"));
    Bytes key = new Bytes();
    Bytes secondary = new Bytes();
    docs.store.key(doc, key);
    docs.store.secondaryKey(doc, secondary);
    docs.store.content(doc, key, secondary, of(""), 1, of("new"));
    docs.store.key(doc, key);
    docs.store.secondaryKey(doc, secondary);
    assertThat(text(key) + " " + text(secondary)).isEqualTo("key second");
  }

  @Test
  void shouldShowAFrozenStateWhileDocsAndNamespacesGo() {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(docs.insert("namespace " + i % 7, i, Docs.bytes("key " + i), NOTHING));
    }
    Freeze freeze = new Freeze(1 << 20);
    FrozenArena arena = docs.arena.freeze();
    FrozenSlab frozen = docs.store.freeze(freeze, 0);
    all.forEach(docs::delete);
    for (int i = 0; i < 200; i++) {
      docs.insert("other", i, Docs.bytes("other"), NOTHING);
    }
    assertThat(read(frozen, arena))
        .hasSize(100)
        .contains("namespace 0/key 0", "namespace 1/key 99", "namespace 3/key 10");
    frozen.release();
    docs.store.thaw();
    docs.arena.thaw();
  }

  private static List<String> read(FrozenSlab frozen, FrozenArena arena) {
    List<String> found = new ArrayList<>();
    for (int chunk = 0; chunk < frozen.chunkCount(); chunk++) {
      long first = frozen.isDone(chunk) ? 0 : frozen.take(chunk);
      for (int i = 0; first != 0 && i < frozen.recordCount(chunk); i++) {
        long record = first + (long) i * frozen.recordBytes();
        if (frozen.isLive(record)) {
          long name = arena.address(UnsafeApi.getLong(record + DocStore.NAMESPACE_NAME));
          long block = arena.address(UnsafeApi.getLong(record + DocStore.BLOCK));
          found.add(
              text(name + Integer.BYTES, UnsafeApi.getInt(name))
                  + "/"
                  + text(
                      block + DocStore.BLOCK_HEADER_BYTES,
                      UnsafeApi.getShort(block + DocStore.KEY_LENGTH)));
        }
      }
    }
    return found;
  }

  private static String text(long address, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = UnsafeApi.getByte(address + i);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void shouldAllocateNothingInSteadyState() {
    byte[][] keys = new byte[1_000][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = Docs.bytes("customer/" + i * 7919 % 1000);
    }
    Churn churn = new Churn(keys);
    for (int round = 0; round < 20; round++) {
      churn.run();
    }
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    for (int round = 0; round < 50; round++) {
      churn.run();
    }
    long bytes = threads.getThreadAllocatedBytes(thread) - before;
    assertThat(bytes).as("bytes for 100,000 operations").isLessThan(10_000);
  }

  /** Fills a namespace, walks over a part of it, and empties it again. */
  private final class Churn {

    private final UnsafeBuffer name = new UnsafeBuffer(Docs.bytes("namespace"));
    private final UnsafeBuffer[] keys;
    private final int[] slots;
    private final DocPosition position = new DocPosition();
    private final Bytes key = new Bytes();
    private final Bytes nothing = new Bytes();

    Churn(byte[][] keys) {
      this.keys = new UnsafeBuffer[keys.length];
      for (int i = 0; i < keys.length; i++) {
        this.keys[i] = new UnsafeBuffer(keys[i]);
      }
      slots = new int[keys.length];
    }

    void run() {
      for (int i = 0; i < keys.length; i++) {
        int namespace = docs.namespaces.findOrAdd(name, 0, name.capacity());
        int set = docs.sets.add(namespace, keys[i], 0, keys[i].capacity());
        slots[i] = docs.store.add(set, i, i);
        key.set(keys[i], 0, keys[i].capacity());
        docs.store.content(slots[i], key, nothing, nothing, 0, nothing);
        docs.tree.add(slots[i]);
        docs.sets.claimant(set, 1, 1, false);
        docs.sets.arrivalMs(set, 100 + i);
        docs.leases.add(set, i);
      }
      walk();
      for (int slot : slots) {
        int set = docs.store.set(slot);
        docs.tree.remove(slot);
        docs.leases.remove(set);
        docs.store.remove(slot);
        docs.sets.written(set);
        docs.sets.list(set);
      }
      while (docs.sets.listedCount() > 0) {
        int set = docs.sets.oldestListed();
        docs.sets.unlist(set);
        docs.sets.remove(set);
      }
    }

    private void walk() {
      int namespace = docs.namespaces.find(name, 0, name.capacity());
      position.before(keys[500], 0, keys[500].capacity());
      for (int i = 0; i < 20; i++) {
        long place = docs.tree.seek(namespace, position);
        if (place != KeyTree.END) {
          position.after(docs.store, docs.tree.doc(place));
        }
      }
    }
  }
}
