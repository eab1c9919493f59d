package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The seed is fixed, so each of these outcomes is too. */
class GeneratorTest {
  private static final int DRAWS = 20_000;

  private final Generator generator = new Generator();

  GeneratorTest() {
    generator.seed(7);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 10})
  void shouldDrawEachNumberBelowABoundEquallyOften(int bound) {
    long[] seen = new long[bound];
    for (int i = 0; i < DRAWS; i++) {
      seen[generator.below(bound)]++;
    }
    ChiSquare.assertUniform(seen);
  }

  @Test
  void shouldDrawTheOnlyNumberBelowOne() {
    assertThat(generator.below(1)).isZero();
  }

  @Test
  void shouldTossACoinThatSaysNothingOfTheNumberBesideIt() {
    int bound = 4;
    long[] seen = new long[2 * bound];
    for (int i = 0; i < DRAWS; i++) {
      long draw = generator.next();
      int coin = Generator.isHeads(draw) ? 1 : 0;
      seen[2 * generator.below(draw, bound) + coin]++;
    }
    ChiSquare.assertUniform(seen);
  }

  @Test
  void shouldGoOnFromItsState() {
    generator.next();
    Generator other = new Generator();
    other.seed(generator.state());
    assertThat(other.peek()).isEqualTo(generator.peek());
    assertThat(other.next()).isEqualTo(generator.next());
  }
}
