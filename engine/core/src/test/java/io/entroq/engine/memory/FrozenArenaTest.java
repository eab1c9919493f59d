package io.entroq.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;

class FrozenArenaTest {
  private record Block(long reference, int length, byte content) {}

  private final Arena arena = new Arena();
  private final List<Block> blocks = new ArrayList<>();
  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  private void comeAndGo(int steps, int wanted) {
    for (int step = 0; step < steps; step++) {
      if (!blocks.isEmpty() && random.nextInt(2 * wanted) < blocks.size()) {
        Block block = blocks.remove(random.nextInt(blocks.size()));
        check(arena.address(block.reference), block);
        arena.free(block.reference);
      } else {
        int length = 1 + (int) Math.exp(random.nextDouble() * 12);
        long reference = arena.allocate(length);
        byte content = (byte) random.nextInt();
        UnsafeApi.setMemory(arena.address(reference), length, content);
        blocks.add(new Block(reference, length, content));
      }
    }
  }

  private void check(long address, Block block) {
    for (int i = 0; i < block.length; i += 1 + i / 16) {
      assertThat(UnsafeApi.getByte(address + i)).as("seed %d", seed).isEqualTo(block.content);
    }
  }

  @Test
  void shouldLeaveEveryBlockThatWasInUseAsItWas() {
    comeAndGo(3_000, 200);
    for (int freeze = 0; freeze < 30; freeze++) {
      List<Block> inUse = List.copyOf(blocks);
      FrozenArena frozen = arena.freeze();
      comeAndGo(random.nextInt(1_000), 200);
      for (Block block : inUse) {
        check(frozen.address(block.reference), block);
      }
      arena.thaw();
      comeAndGo(random.nextInt(300), 200);
    }
    blocks.forEach(block -> check(arena.address(block.reference), block));
    blocks.forEach(block -> arena.free(block.reference));
    assertThat(arena.usedBytes()).isZero();
  }

  @Test
  void shouldUseAgainWhatWasHeldBackOnceItIsThawed() {
    comeAndGo(3_000, 200);
    long most = 0;
    for (int freeze = 0; freeze < 60; freeze++) {
      arena.freeze();
      comeAndGo(400, 200);
      arena.thaw();
      comeAndGo(400, 200);
      if (freeze == 20) {
        most = arena.memoryBytes();
      }
    }
    assertThat(arena.memoryBytes()).as("seed %d", seed).isLessThan(most * 2);
    arena.close();
    assertThat(arena.memoryBytes()).isZero();
  }

  @Test
  void shouldReuseNewBlocksWhileFrozen() {
    long old = arena.allocate(100);
    arena.freeze();
    assertThat(arena.isShared(old)).isTrue();
    long first = arena.allocate(100);
    assertThat(arena.isShared(first)).isFalse();
    arena.free(old);
    arena.free(first);
    for (int i = 0; i < 10_000; i++) {
      long again = arena.allocate(100);
      assertThat(again).isEqualTo(first);
      arena.free(again);
    }
    arena.thaw();
    arena.allocate(16);
    assertThat(arena.allocate(100)).isIn(old, first);
    assertThat(arena.allocate(100)).isIn(old, first);
  }

  @Test
  void shouldTakeUpBlocksThatWereFreeBeforeAnyNewChunk() {
    List<Long> taken = new ArrayList<>();
    while (arena.spareBlocks(1_000) > 0 || taken.isEmpty()) {
      taken.add(arena.allocate(1_000));
    }
    taken.forEach(arena::free);
    long memory = arena.memoryBytes();
    arena.freeze();
    for (int i = 0; i < taken.size(); i++) {
      arena.allocate(1_000);
    }
    assertThat(arena.memoryBytes()).isEqualTo(memory);
    arena.thaw();
  }

  @Test
  void shouldReplaceABlockByAnotherWithTheSameContent() {
    long old = arena.allocate(64);
    UnsafeApi.setMemory(arena.address(old), 64, (byte) 7);
    FrozenArena frozen = arena.freeze();
    long copy = arena.replace(old);
    UnsafeApi.putByte(arena.address(copy), (byte) 8);
    assertThat(UnsafeApi.getByte(arena.address(copy) + 63)).isEqualTo((byte) 7);
    assertThat(frozen.getInt(old, 0)).isEqualTo(0x07070707);
    arena.thaw();
  }

  @Test
  void shouldRefuseToFreezeTwiceOrToCloseWhileFrozen() {
    arena.freeze();
    assertThatThrownBy(arena::freeze).isInstanceOf(InvariantBrokenException.class);
    assertThatThrownBy(arena::close).isInstanceOf(InvariantBrokenException.class);
  }
}
