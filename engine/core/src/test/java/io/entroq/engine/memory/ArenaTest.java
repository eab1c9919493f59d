package io.entroq.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArenaTest {

  @Test
  void shouldGiveEachLengthAClassThatHoldsItAndWastesLittle() {
    for (int length = 1; length < 3_000_000; length += 1 + length / 97) {
      int bytes = Arena.bytesOf(Arena.classOf(length));
      assertThat(bytes).isGreaterThanOrEqualTo(length).isLessThan(length + 16 + length / 4);
    }
    assertThat(Arena.bytesOf(Arena.classOf(1 << 30))).isEqualTo(1 << 30);
  }

  @Test
  void shouldKeepBlocksApartWhenTheyComeAndGo() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    Arena arena = new Arena();
    List<Long> blocks = new ArrayList<>();
    List<Integer> lengths = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      if (blocks.size() > 200 || (!blocks.isEmpty() && random.nextBoolean())) {
        int at = random.nextInt(blocks.size());
        check(arena, blocks.get(at), lengths.get(at), seed);
        arena.free(blocks.remove(at));
        lengths.remove(at);
      } else {
        int length = 1 + (int) Math.exp(random.nextDouble() * 12);
        long block = arena.allocate(length);
        arena.buffer(block).setMemory(arena.offset(block), length, (byte) block);
        blocks.add(block);
        lengths.add(length);
      }
    }
    for (int i = 0; i < blocks.size(); i++) {
      check(arena, blocks.get(i), lengths.get(i), seed);
      arena.free(blocks.get(i));
    }
    assertThat(arena.usedBytes()).isZero();
  }

  private static void check(Arena arena, long block, int length, long seed) {
    byte[] expected = new byte[length];
    Arrays.fill(expected, (byte) block);
    byte[] actual = new byte[length];
    arena.buffer(block).getBytes(arena.offset(block), actual);
    assertThat(Arrays.mismatch(actual, expected)).as("seed %d", seed).isEqualTo(-1);
    assertThat(arena.capacity(block)).isGreaterThanOrEqualTo(length);
  }

  @Test
  void shouldGiveLargeBlocksBackAtOnce() {
    Arena arena = new Arena();
    long block = arena.allocate(1 << 20);
    assertThat(arena.memoryBytes()).isEqualTo(1 << 20);
    arena.free(block);
    assertThat(arena.memoryBytes()).isZero();
  }

  @Test
  void shouldRefuseALengthOutOfRange() {
    Arena arena = new Arena();
    assertThatThrownBy(() -> arena.allocate(0)).isInstanceOf(InvariantBrokenException.class);
    assertThatThrownBy(() -> arena.allocate((1 << 30) + 1))
        .isInstanceOf(InvariantBrokenException.class)
        .hasMessageContaining("block length");
  }
}
