package io.entroq.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SlabTest {

  @Test
  void shouldReuseFreedSlotsCleared() {
    Slab slab = new Slab(24, 1);
    int first = slab.allocate();
    int second = slab.allocate();
    int third = slab.allocate();
    slab.putLong(second, 16, -1);
    slab.putInt(second, 4, 7);
    slab.free(second);
    assertThat(slab.size()).isEqualTo(2);
    int again = slab.allocate();
    assertThat(again).isEqualTo(second);
    assertThat(slab.getLong(again, 16)).isZero();
    assertThat(slab.getInt(again, 4)).isZero();
    assertThat(slab.highWater()).isEqualTo(3);
    assertThat(first).isNotEqualTo(third);
  }

  @Test
  void shouldNotMoveRecordsWhenItGrows() {
    Slab slab = new Slab(8, 1);
    int first = slab.allocate();
    slab.putLong(first, 0, 42);
    for (int i = 0; i < 1000; i++) {
      slab.putLong(slab.allocate(), 0, i);
    }
    assertThat(slab.getLong(first, 0)).isEqualTo(42);
    assertThat(slab.memoryBytes()).isGreaterThanOrEqualTo(1001 * 8);
  }

  @Test
  void shouldAssertThatASlotWasTaken() {
    Slab slab = new Slab(8, 1);
    int slot = slab.allocate();
    assertThatThrownBy(() -> slab.getInt(slot + 1, 0)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> slab.getInt(Slab.NONE, 0)).isInstanceOf(AssertionError.class);
  }
}
