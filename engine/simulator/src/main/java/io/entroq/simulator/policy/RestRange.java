package io.entroq.simulator.policy;

/**
 * How long a failed task may rest.
 *
 * @param leastMs the shortest rest
 * @param mostMs the longest rest
 */
public record RestRange(long leastMs, long mostMs) {
  private static final double THOUSANDTHS = 1_000;
  private static final int FACTOR_DEFAULT = 2_000;
  private static final double REST_MS_MAX = 366.0 * 24 * 60 * 60 * 1_000;

  /** Rounding a product that is found factor by factor, or with floating point. */
  private static final double RELATIVE_ERROR = 1e-9;

  /**
   * The range after a failure. Base times factor to the power of all failures before, up to a
   * bound, of which chance takes away a part.
   *
   * @param attempt the number of failures, from 1
   * @param maxMs 0: no bound
   */
  static RestRange of(long baseMs, long factorMilli, long maxMs, long jitterMilli, int attempt) {
    double factor = (factorMilli == 0 ? FACTOR_DEFAULT : factorMilli) / THOUSANDTHS;
    double rest = baseMs * StrictMath.pow(factor, Math.max(0.0, attempt - 1.0));
    double bounded = Math.min(maxMs == 0 ? REST_MS_MAX : maxMs, rest);
    double shortest = bounded * (THOUSANDTHS - jitterMilli) / THOUSANDTHS;
    boolean isExact = jitterMilli == 0 && (attempt <= 1 || bounded < rest);
    double error =
        isExact ? 0 : 1 + Math.max(0, Math.min(attempt, 64)) * factor + bounded * RELATIVE_ERROR;
    return new RestRange((long) Math.max(0, shortest - error), (long) (bounded + error));
  }

  public boolean contains(long restMs) {
    return restMs >= leastMs && restMs <= mostMs;
  }
}
