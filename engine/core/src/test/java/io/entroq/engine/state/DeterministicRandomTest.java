package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.memory.DeterministicRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The seed is fixed, so each of these outcomes is too. */
class DeterministicRandomTest {
  private static final int DRAWS = 20_000;

  private final DeterministicRandom random = new DeterministicRandom();

  DeterministicRandomTest() {
    random.seed(7);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 10})
  void shouldDrawEachNumberBelowABoundEquallyOften(int bound) {
    long[] seen = new long[bound];
    for (int i = 0; i < DRAWS; i++) {
      seen[random.below(bound)]++;
    }
    ChiSquare.assertUniform(seen);
  }

  @Test
  void shouldDrawTheOnlyNumberBelowOne() {
    assertThat(random.below(1)).isZero();
  }

  @Test
  void shouldTossACoinThatSaysNothingOfTheNumberBesideIt() {
    int bound = 4;
    long[] seen = new long[2 * bound];
    for (int i = 0; i < DRAWS; i++) {
      long draw = random.next();
      int coin = DeterministicRandom.isHeads(draw) ? 1 : 0;
      seen[2 * random.below(draw, bound) + coin]++;
    }
    ChiSquare.assertUniform(seen);
  }

  @Test
  void shouldGoOnFromItsState() {
    random.next();
    DeterministicRandom other = new DeterministicRandom();
    other.seed(random.state());
    assertThat(other.peek()).isEqualTo(random.peek());
    assertThat(other.next()).isEqualTo(random.next());
  }
}
