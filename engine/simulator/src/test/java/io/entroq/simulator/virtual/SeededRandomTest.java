package io.entroq.simulator.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Recorded seeds keep their meaning: these values never change. */
class SeededRandomTest {
  private static List<Long> first(SeededRandom random) {
    return LongStream.generate(random::next).limit(4).boxed().toList();
  }

  @Test
  void shouldDrawWhatItHasAlwaysDrawn() {
    assertThat(first(new SeededRandom(1)))
        .containsExactly(
            0x5e41ab087439611eL, 0xf18d6ce93d6cf1eeL, 0xb95f66d327e8d78L, 0xc7061b1b93322ba9L);
    assertThat(first(new SeededRandom(-7)))
        .containsExactly(
            0x1549c43b1b381c21L, 0x5dccd97aafaeeb59L, 0x2ddb6cf1e61218abL, 0xbf51bdff6d70f37dL);
  }

  @Test
  void shouldForkWhatItHasAlwaysForked() {
    assertThat(first(new SeededRandom(1).fork("network")))
        .containsExactly(
            0x455e5335d28e765dL, 0xb423ade24f27d415L, 0xc7c19fcf01a1bd0cL, 0xa41bafeccd58a2e5L);
    assertThat(first(new SeededRandom(1).fork("client", 3)))
        .containsExactly(
            0xe8e48ceaa2c4efebL, 0x26c5c3ea2c732027L, 0xc03e8b5b4fa6c7aL, 0xa5d7820e244a51b4L);
  }

  @Test
  void shouldMakeTheSameOfItsNumbers() {
    SeededRandom random = new SeededRandom(5);
    assertThat(random.below(1_000)).isEqualTo(979);
    assertThat(random.between(-10, 1_000_000)).isEqualTo(377_724);
    assertThat(random.waitNs(1_000_000_000)).isEqualTo(146_340_900);
    assertThat(SeededRandom.mix(1)).isEqualTo(0x5692161d100b05e5L);
  }

  @Test
  void shouldForkTheSameWhateverWasDrawnBefore() {
    SeededRandom random = new SeededRandom(9);
    List<Long> before = first(random.fork("one"));
    random.next();
    assertThat(first(random.fork("one"))).isEqualTo(before);
    assertThat(first(random.fork("two"))).isNotEqualTo(before);
  }

  @Test
  void shouldKeepBounds() {
    SeededRandom random = new SeededRandom(3);
    boolean[] isSeen = new boolean[7];
    for (int i = 0; i < 1_000; i++) {
      isSeen[random.below(7)] = true;
      assertThat(random.between(-2, 2)).isBetween(-2L, 2L);
      assertThat(random.waitNs(10)).isPositive();
    }
    assertThat(isSeen).containsOnly(true);
  }
}
