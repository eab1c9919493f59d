package io.entroq.engine.doc;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NamespaceStoreTest {

  private static final byte[] NOTHING = {};

  private final Docs docs = new Docs();

  @AfterEach
  void close() {
    docs.close();
  }

  @Test
  void shouldKeepANamespaceFromItsFirstSetToItsLast() {
    int first = docs.insert("users", 1, Docs.bytes("a"), NOTHING);
    int second = docs.insert("users", 2, Docs.bytes("b"), NOTHING);
    int users = docs.namespace("users");
    assertThat(docs.namespaces.docCount(users)).isEqualTo(2);
    docs.delete(first);
    assertThat(docs.namespace("users")).isEqualTo(users);
    int empty = docs.set("users", Docs.bytes("c"));
    docs.delete(second);
    assertThat(docs.namespaces.docCount(users)).isZero();
    assertThat(docs.namespace("users")).as("it has a set without docs").isEqualTo(users);
    docs.sets.remove(empty);
    assertThat(docs.namespace("users")).isEqualTo(Slab.NONE);
    assertThat(docs.isEmpty()).isTrue();
  }

  @Test
  void shouldTellDocsOfOneIdApartByTheirNamespaces() {
    int here = docs.insert("here", 7, Docs.bytes("a"), NOTHING);
    int there = docs.insert("there", 7, Docs.bytes("a"), NOTHING);
    assertThat(docs.store.find(docs.namespace("here"), 7, ~7)).isEqualTo(here);
    assertThat(docs.store.find(docs.namespace("there"), 7, ~7)).isEqualTo(there);
    assertThat(docs.store.find(docs.namespace("nowhere"), 7, ~7)).isEqualTo(Slab.NONE);
    docs.delete(here);
    assertThat(docs.store.find(docs.namespace("there"), 7, ~7)).isEqualTo(there);
  }

  @Test
  void shouldLetNamespacesComeAndGoByTheThousand() {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      all.add(docs.insert("namespace " + i, i, Docs.bytes("key"), NOTHING));
    }
    assertThat(docs.namespaces.size()).isEqualTo(5_000);
    Bytes name = new Bytes();
    docs.namespaces.name(docs.store.namespace(all.get(4_321)), name);
    assertThat(name.buffer().getStringWithoutLengthUtf8(name.offset(), name.length()))
        .isEqualTo("namespace 4321");
    all.forEach(docs::delete);
    assertThat(docs.isEmpty()).isTrue();
  }

  @Test
  void shouldCountDocsOfClaimedSetsAsTimePasses() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      all.add(docs.set("one", Docs.bytes("key " + i)));
      for (int j = random.nextInt(4); j > 0; j--) {
        docs.insert("one", 10L * i + j, Docs.bytes("key " + i), Docs.bytes("" + j));
      }
    }
    int namespace = docs.namespace("one");
    for (long now = 1; now < 5_000; now++) {
      int set = all.get(random.nextInt(all.size()));
      docs.lease(set, random.nextInt(3), now + random.nextInt(1_000) - 100, now);
      if (now % 50 == 0) {
        long later = now + random.nextInt(500);
        int expected = 0;
        for (int each : all) {
          boolean isHeld = docs.sets.hasClaimant(each) && docs.sets.arrivalMs(each) > later;
          expected += isHeld ? docs.sets.docCount(each) : 0;
        }
        assertThat(docs.claimed(namespace, later, 1 + random.nextInt(100)))
            .as("claimed at %d, seed %d", later, seed)
            .isEqualTo(expected);
      }
    }
  }
}
