package io.entroq.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeySetTest {

  @Test
  void shouldAgreeWithASetOverManyRounds() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    KeySet keys = new KeySet();
    for (int round = 0; round < 200; round++) {
      keys.clear();
      Set<Long> expected = new HashSet<>();
      int count = random.nextInt(500);
      for (int i = 0; i < count; i++) {
        long low = random.nextInt(200);
        assertThat(keys.add(1, low)).as("seed %d", seed).isEqualTo(expected.add(low));
      }
    }
  }
}
