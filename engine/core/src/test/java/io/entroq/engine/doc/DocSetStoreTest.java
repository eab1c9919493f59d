package io.entroq.engine.doc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.memory.InvariantBrokenException;
import io.entroq.engine.memory.Slab;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DocSetStoreTest {

  private static final byte[] NOTHING = {};

  private final Docs docs = new Docs();

  @AfterEach
  void close() {
    docs.close();
  }

  @Test
  void shouldTellSetsOfOneKeyApartByTheirNamespaces() {
    int here = docs.set("here", Docs.bytes("k"));
    int there = docs.set("there", Docs.bytes("k"));
    assertThat(here).isNotEqualTo(there);
    assertThat(find("here", "k")).isEqualTo(here);
    assertThat(find("there", "k")).isEqualTo(there);
    assertThat(find("there", "K")).isEqualTo(Slab.NONE);
    assertThat(find("nowhere", "k")).isEqualTo(Slab.NONE);
  }

  private int find(String namespace, String key) {
    byte[] bytes = Docs.bytes(key);
    return docs.sets.find(docs.namespace(namespace), new UnsafeBuffer(bytes), 0, bytes.length);
  }

  @Test
  void shouldCountItsDocs() {
    int doc = docs.insert("one", 1, Docs.bytes("k"), NOTHING);
    int set = docs.store.set(doc);
    docs.insert("one", 2, Docs.bytes("k"), Docs.bytes("s"));
    assertThat(docs.sets.docCount(set)).isEqualTo(2);
    docs.delete(doc);
    assertThat(docs.sets.docCount(set)).isEqualTo(1);
  }

  @Test
  void shouldNotRemoveASetThatHasDocs() {
    int set = docs.store.set(docs.insert("one", 1, Docs.bytes("k"), NOTHING));
    assertThatThrownBy(() -> docs.sets.remove(set)).isInstanceOf(InvariantBrokenException.class);
  }

  @Test
  void shouldListSetsWithoutDocsByTheirLastWrite() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(docs.set("one", Docs.bytes("key " + i)));
    }
    Set<Integer> expected = new LinkedHashSet<>();
    for (int step = 0; step < 2_000; step++) {
      int set = all.get(random.nextInt(all.size()));
      docs.sets.unlist(set);
      expected.remove(set);
      if (random.nextInt(3) > 0) {
        docs.sets.written(set);
        docs.sets.list(set);
        expected.add(set);
      }
      assertThat(docs.sets.listedCount()).as("seed %d", seed).isEqualTo(expected.size());
      int oldest = expected.isEmpty() ? Slab.NONE : expected.iterator().next();
      assertThat(docs.sets.oldestListed()).as("seed %d", seed).isEqualTo(oldest);
    }
    for (int set : expected) {
      assertThat(docs.sets.oldestListed()).as("in order, seed %d", seed).isEqualTo(set);
      docs.sets.unlist(set);
    }
  }
}
