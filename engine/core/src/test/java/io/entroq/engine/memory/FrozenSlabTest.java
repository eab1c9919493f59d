package io.entroq.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrozenSlabTest {
  private static final int RECORD_BYTES = 24;
  private static final int LIVE = 16;
  private static final int VALUE = 4;
  private static final int SHIFT = 2;
  private static final int CHUNK_BYTES = RECORD_BYTES << SHIFT;

  private final Slab slab = new Slab(RECORD_BYTES, SHIFT, LIVE);
  private final ExecutorService writer = Executors.newSingleThreadExecutor();

  @AfterEach
  void stop() {
    writer.shutdownNow();
  }

  private void fill(int records) {
    for (int i = 0; i < records; i++) {
      set(slab.allocate(), i);
    }
  }

  private void set(int slot, int value) {
    slab.putLong(slot, LIVE, 1);
    slab.putInt(slot, VALUE, value);
  }

  /** The value of every record that was live, -1 where none was. */
  private static int[] read(FrozenSlab frozen) {
    int[] values = new int[frozen.highWater()];
    Arrays.fill(values, -1);
    for (int chunk = 0; chunk < frozen.chunkCount(); chunk++) {
      if (!frozen.isDone(chunk)) {
        long first = frozen.take(chunk);
        for (int i = 0; i < frozen.recordCount(chunk); i++) {
          long record = first + (long) i * frozen.recordBytes();
          if (frozen.isLive(record)) {
            values[frozen.firstSlot(chunk) + i] = UnsafeApi.getInt(record + VALUE);
          }
        }
      }
    }
    return values;
  }

  @Test
  void shouldShowTheRecordsAsTheyWereWhenTheyChangeAfterwards() {
    fill(10);
    slab.free(3);
    Freeze freeze = new Freeze(1 << 20);
    FrozenSlab frozen = slab.freeze(freeze, 0);
    set(0, 100);
    slab.free(9);
    set(slab.allocate(), 101);
    set(slab.allocate(), 102);
    fill(20);
    assertThat(freeze.keptBytes()).isEqualTo(2 * CHUNK_BYTES);
    assertThat(read(frozen)).containsExactly(0, 1, 2, -1, 4, 5, 6, 7, 8, 9);
    frozen.release();
    assertThat(freeze.keptBytes()).isZero();
    slab.thaw();
    assertThat(slab.getInt(0, VALUE)).isEqualTo(100);
  }

  @Test
  void shouldKeepNothingOfChunksThatAreReadOrHaveNothingLive() {
    fill(8);
    for (int slot = 0; slot < 4; slot++) {
      slab.free(slot);
    }
    Freeze freeze = new Freeze(1 << 20);
    FrozenSlab frozen = slab.freeze(freeze, 0);
    set(slab.allocate(), 9);
    assertThat(frozen.isDone(0)).isTrue();
    assertThat(frozen.isDone(1)).isFalse();
    frozen.take(1);
    set(5, 9);
    assertThat(freeze.keptBytes()).isZero();
    freeze.end();
    frozen.release();
    slab.thaw();
  }

  @Test
  void shouldKeepNothingOnceTheImageIsGivenUp() {
    fill(40);
    Freeze freeze = new Freeze(1 << 20);
    FrozenSlab frozen = slab.freeze(freeze, 0);
    set(0, 7);
    freeze.end();
    frozen.release();
    set(20, 7);
    assertThat(freeze.keptBytes()).isZero();
    slab.thaw();
    assertThat(slab.getInt(20, VALUE)).isEqualTo(7);
  }

  @Test
  void shouldLetTheEngineWaitForTheChunkItWantsWhenItsCopiesAreUsedUp() throws Exception {
    fill(40);
    Freeze freeze = new Freeze(2 * CHUNK_BYTES);
    FrozenSlab frozen = slab.freeze(freeze, 3);
    set(0, -5);
    set(4, -5);
    assertThat(frozen.wantedChunk()).isEqualTo(-1);
    CountDownLatch hasSeen = new CountDownLatch(1);
    Future<Integer> served =
        writer.submit(
            () -> {
              while (frozen.wantedChunk() < 0) {
                Thread.onSpinWait();
              }
              assertThat(freeze.wantedSlab()).isEqualTo(3);
              int wanted = frozen.wantedChunk();
              int value = UnsafeApi.getInt(frozen.take(wanted) + VALUE);
              hasSeen.countDown();
              return value;
            });
    set(36, -5);
    hasSeen.await();
    assertThat(served.get()).isEqualTo(36);
    assertThat(freeze.wantedSlab()).isEqualTo(-1);
    assertThat(freeze.keptBytes()).isEqualTo(2 * CHUNK_BYTES);
    assertThat(read(frozen)).startsWith(0, 1, 2, 3, 4).endsWith(-1, -1, -1, -1);
    frozen.release();
    slab.thaw();
  }

  @Test
  void shouldBeRightWhenReaderAndWriterMeetInEveryChunk() throws Exception {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    int records = 2_000;
    fill(records);
    for (int round = 0; round < 60; round++) {
      int[] expected = new int[records];
      for (int slot = 0; slot < records; slot++) {
        expected[slot] = slab.getInt(slot, VALUE);
      }
      Freeze freeze = new Freeze(random.nextInt(2) == 0 ? 3 * CHUNK_BYTES : 1 << 20);
      FrozenSlab frozen = slab.freeze(freeze, 0);
      Future<int[]> image = writer.submit(() -> readWanted(frozen));
      while (!image.isDone()) {
        set(random.nextInt(records), random.nextInt());
      }
      assertThat(image.get()).as("seed %d", seed).isEqualTo(expected);
      freeze.end();
      frozen.release();
      slab.thaw();
      assertThat(freeze.keptBytes()).isZero();
    }
  }

  /** As the real writer does: before each chunk the one that the engine waits for. */
  private static int[] readWanted(FrozenSlab frozen) {
    int[] values = new int[frozen.highWater()];
    for (int chunk = 0; chunk < frozen.chunkCount(); chunk++) {
      int wanted = frozen.wantedChunk();
      if (wanted >= 0) {
        read(frozen, wanted, values);
      }
      if (!frozen.isDone(chunk)) {
        read(frozen, chunk, values);
      }
    }
    return values;
  }

  private static void read(FrozenSlab frozen, int chunk, int[] values) {
    long first = frozen.take(chunk);
    for (int i = 0; i < frozen.recordCount(chunk); i++) {
      values[frozen.firstSlot(chunk) + i] =
          UnsafeApi.getInt(first + (long) i * RECORD_BYTES + VALUE);
    }
  }

  @Test
  void shouldNoticeAWritePastTheGuard() {
    fill(4);
    FrozenSlab frozen = slab.freeze(new Freeze(1 << 20), 0);
    UnsafeApi.putInt(slab.address(2) + VALUE, 99);
    assertThatThrownBy(() -> frozen.take(0))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("written past the guard");
  }

  @Test
  void shouldRefuseToFreezeTwiceOrToCloseWhileFrozen() {
    fill(4);
    slab.freeze(new Freeze(1), 0);
    assertThatThrownBy(() -> slab.freeze(new Freeze(1), 0))
        .isInstanceOf(InvariantBrokenException.class);
    assertThatThrownBy(slab::close).isInstanceOf(InvariantBrokenException.class);
    slab.thaw();
    slab.close();
    assertThat(slab.memoryBytes()).isZero();
    assertThatThrownBy(() -> new Slab(8, 1).freeze(new Freeze(1), 0))
        .isInstanceOf(InvariantBrokenException.class);
  }
}
