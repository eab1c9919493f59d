package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;

/** Whether draws are as likely as they should be. */
final class ChiSquare {

  /** What chance exceeds once in a million, by degrees of freedom, from 1 on. */
  private static final double[] MAX = {23.9, 27.6, 30.7, 33.4, 35.9, 38.3, 40.5, 42.7, 44.8};

  private ChiSquare() {}

  /** Holds that each of 2 to 10 outcomes was seen as often as any other. */
  static void assertUniform(long... seen) {
    double[] weights = new double[seen.length];
    Arrays.fill(weights, 1);
    assertWeighted(seen, weights);
  }

  /** Holds that 2 to 10 outcomes were seen in the proportion of their weights. */
  static void assertWeighted(long[] seen, double[] weights) {
    double scale = Arrays.stream(seen).sum() / Arrays.stream(weights).sum();
    double sum = 0;
    for (int i = 0; i < seen.length; i++) {
      double expected = weights[i] * scale;
      sum += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    assertThat(sum).as("chi-square of %s", Arrays.toString(seen)).isLessThan(MAX[seen.length - 2]);
  }
}
