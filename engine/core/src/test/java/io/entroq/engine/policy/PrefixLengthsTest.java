package io.entroq.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The different lengths of prefixes. */
class PrefixLengthsTest {
  private final PrefixLengths lengths = new PrefixLengths();

  private int[] all() {
    int[] all = new int[lengths.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = lengths.get(i);
    }
    return all;
  }

  @Test
  void shouldListEachLengthOnceTheLongestFirst() {
    for (int length : new int[] {3, 7, 3, 1, 1_024}) {
      lengths.add(length);
    }
    assertThat(all()).containsExactly(1_024, 7, 3, 1);
    lengths.remove(3);
    lengths.remove(1_024);
    assertThat(all()).containsExactly(7, 3, 1);
    lengths.remove(3);
    assertThat(all()).containsExactly(7, 1);
  }
}
