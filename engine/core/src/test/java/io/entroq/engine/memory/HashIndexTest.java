package io.entroq.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HashIndexTest {

  private static final int KEYS = 500;

  @Test
  void shouldAgreeWithAMapWhenEntriesComeAndGo() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int shardBits : new int[] {0, 3, 6}) {
      HashIndex index = new HashIndex(shardBits);
      Map<Integer, Long> hashes = new HashMap<>();
      for (int step = 0; step < 50_000; step++) {
        int slot = random.nextInt(KEYS);
        if (hashes.containsKey(slot)) {
          index.remove(hashes.remove(slot), slot);
        } else {
          // Few different hashes, so that probes are long and wrap around.
          long hash = Mix.mix(random.nextInt(KEYS / 4));
          hashes.put(slot, hash);
          index.insert(hash, slot);
        }
        assertThat(index.size()).as("seed %d, step %d", seed, step).isEqualTo(hashes.size());
      }
      hashes.forEach(
          (slot, hash) ->
              assertThat(find(index, hash, slot)).as("seed %d", seed).isNotEqualTo(HashIndex.NONE));
    }
  }

  @Test
  void shouldFindNothingWhenEmpty() {
    assertThat(new HashIndex(4).first(42)).isEqualTo(HashIndex.NONE);
  }

  private static long find(HashIndex index, long hash, int slot) {
    long at = index.first(hash);
    while (at != HashIndex.NONE && index.slot(at) != slot) {
      at = index.next(hash, at);
    }
    return at;
  }
}
