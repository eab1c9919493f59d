package io.entroq.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SlotHeapTest {

  private static final int SLOTS = 300;

  private final long[] keys = new long[SLOTS];
  private final int[] positions = new int[SLOTS];

  private final class Heap extends SlotHeap {
    @Override
    protected boolean before(int a, int b) {
      return keys[a] < keys[b] || (keys[a] == keys[b] && a < b);
    }

    @Override
    protected void moved(int slot, int position) {
      positions[slot] = position;
    }
  }

  @Test
  void shouldAgreeWithASortedSetWhenSlotsComeGoAndChange() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    Heap heap = new Heap();
    TreeSet<Integer> sorted =
        new TreeSet<>(
            Comparator.comparingLong((Integer slot) -> keys[slot])
                .thenComparing(Comparator.naturalOrder()));
    for (int step = 0; step < 100_000; step++) {
      int slot = random.nextInt(SLOTS);
      if (!sorted.contains(slot)) {
        keys[slot] = random.nextInt(50);
        sorted.add(slot);
        heap.add(slot);
      } else if (random.nextBoolean()) {
        sorted.remove(slot);
        heap.removeAt(positions[slot]);
      } else {
        sorted.remove(slot);
        keys[slot] = random.nextInt(50);
        sorted.add(slot);
        heap.updateAt(positions[slot]);
      }
      assertThat(heap.size()).as("seed %d, step %d", seed, step).isEqualTo(sorted.size());
      if (!sorted.isEmpty()) {
        assertThat(heap.root()).as("seed %d, step %d", seed, step).isEqualTo(sorted.first());
      }
    }
  }
}
