package io.entroq.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChunkedSlotArraysTest {
  private static final int CHUNK = ChunkedSlotArrays.CHUNK_SLOTS;

  private final Slab slab = new Slab(32, 4);
  private final Arena arena = new Arena();
  private final ChunkedSlotArrays arrays = new ChunkedSlotArrays(slab, arena, 0, 8, 16);
  private final int owner = slab.allocate();

  @AfterEach
  void close() {
    slab.close();
    arena.close();
  }

  @Test
  void shouldKeepEverySlotWhileItGrowsAndShrinksAcrossChunks() {
    int size = 5 * CHUNK + 77;
    for (int i = 0; i < size; i++) {
      arrays.reserve(owner, i);
      arrays.put(owner, i, slotOf(i));
    }
    for (int left = size; left > 0; left--) {
      if (left % 4_099 == 0 || left % CHUNK < 2) {
        assertHolds(left);
      }
      arrays.shrink(owner, left - 1);
    }
    assertThat(arrays.capacity(owner)).isLessThanOrEqualTo(16);
  }

  @Test
  void shouldAllocateOneChunkAtATimeAndCopyNone() {
    fill(3 * CHUNK);
    long before = arena.usedBytes();
    arrays.reserve(owner, 3 * CHUNK);
    assertThat(arena.usedBytes() - before).isLessThan(2L * CHUNK * Integer.BYTES);
    assertThat(arrays.capacity(owner)).isEqualTo(4 * CHUNK);
  }

  @Test
  void shouldNotAllocateAndFreeAtEveryStepAcrossABoundary() {
    fill(2 * CHUNK + 1);
    for (int i = 0; i < 10; i++) {
      arrays.shrink(owner, 2 * CHUNK - 1);
      assertThat(arrays.capacity(owner)).isEqualTo(3 * CHUNK);
      arrays.reserve(owner, 2 * CHUNK);
    }
    arrays.shrink(owner, CHUNK + CHUNK / 2);
    assertThat(arrays.capacity(owner)).isEqualTo(2 * CHUNK);
  }

  @Test
  void shouldUseNoMoreThanItsRecordFreesWhenItIsEmpty() {
    fill(3 * CHUNK);
    for (int size = 3 * CHUNK; size >= 0; size--) {
      arrays.shrink(owner, size);
    }
    arena.free(slab.getLong(owner, 0));
    assertThat(arena.usedBytes()).isZero();
  }

  @Test
  void shouldCreateEmptyPositionsAndFindThem() {
    for (int size : new int[] {0, 1, 5, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 9}) {
      int each = slab.allocate();
      arrays.create(each, size);
      assertThat(arrays.capacity(each)).isGreaterThanOrEqualTo(size);
      for (int i = 0; i < size; i++) {
        assertThat(arrays.get(each, i)).isEqualTo(Slab.NONE);
        if (i < size - 1) {
          arrays.put(each, i, i);
        }
      }
      assertThat(arrays.hasEmpty(each, size)).isEqualTo(size > 0);
      if (size > 0) {
        arrays.put(each, size - 1, 7);
        assertThat(arrays.hasEmpty(each, size)).isFalse();
      }
    }
  }

  @Test
  void shouldAgreeWithAnArrayUnderRandomUse() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    int[] model = new int[4 * CHUNK];
    int size = 0;
    for (int step = 0; step < 200; step++) {
      int to = random.nextInt(model.length);
      for (; size < to; size++) {
        arrays.reserve(owner, size);
        model[size] = random.nextInt(1 << 20);
        arrays.put(owner, size, model[size]);
      }
      for (; size > to; size--) {
        arrays.shrink(owner, size - 1);
      }
      for (int i = 0; i < 50 && size > 0; i++) {
        int position = random.nextInt(size);
        assertThat(arrays.get(owner, position))
            .as("-Dtest.seed=%d", seed)
            .isEqualTo(model[position]);
      }
    }
    int[] copied = new int[size + 1];
    arrays.copy(owner, size, copied, 1);
    for (int i = 0; i < size; i++) {
      assertThat(copied[i + 1]).as("-Dtest.seed=%d", seed).isEqualTo(model[i]);
    }
  }

  private void fill(int size) {
    for (int i = 0; i < size; i++) {
      arrays.reserve(owner, i);
      arrays.put(owner, i, slotOf(i));
    }
  }

  private void assertHolds(int size) {
    for (int i = 0; i < size; i++) {
      if (arrays.get(owner, i) != slotOf(i)) {
        assertThat(arrays.get(owner, i)).as("position %d of %d", i, size).isEqualTo(slotOf(i));
      }
    }
  }

  private static int slotOf(int position) {
    return position * 31 + 1;
  }
}
