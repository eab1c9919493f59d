package io.entroq.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HashFillTest {
  private static long key(int slot) {
    return slot * 0x1234_5678_9ABCL;
  }

  @Test
  void shouldFindEverySlotAndAcceptMore() {
    HashIndex index = new HashIndex(6);
    int count = 100_000;
    HashFill fill = new HashFill(index, count, (a, b) -> key(a) == key(b));
    for (int slot = 0; slot < count; slot++) {
      fill.add(Mix.mix(key(slot)), slot);
    }
    assertThat(fill.finish()).isEqualTo(Slab.NONE);
    assertThat(index.size()).isEqualTo(count);
    for (int slot = count; slot < 2 * count; slot++) {
      index.insert(Mix.mix(key(slot)), slot);
    }
    for (int slot = 0; slot < 2 * count; slot++) {
      assertThat(find(index, slot)).isEqualTo(slot);
    }
    index.close();
    assertThat(index.memoryBytes()).isZero();
  }

  private static int find(HashIndex index, int slot) {
    long hash = Mix.mix(key(slot));
    long at = index.first(hash);
    while (at != HashIndex.NONE && index.slot(at) != slot) {
      at = index.next(hash, at);
    }
    return at == HashIndex.NONE ? Slab.NONE : index.slot(at);
  }

  @Test
  void shouldTellWhenTwoSlotsHaveOneKey() {
    HashFill fill = new HashFill(new HashIndex(6), 3, (a, b) -> true);
    fill.add(Mix.mix(1), 0);
    fill.add(Mix.mix(2), 1);
    fill.add(Mix.mix(1), 2);
    assertThat(fill.finish()).isEqualTo(2);
  }

  @Test
  void shouldDoNothingForNothing() {
    assertThat(new HashFill(new HashIndex(2), 0, (a, b) -> true).finish()).isEqualTo(Slab.NONE);
  }
}
