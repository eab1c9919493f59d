package io.entroq.perf.engine;

/**
 * What one opening took.
 *
 * @param openMs until the engine was there
 * @param claimMs from then until its first answer
 * @param closeMs to close it
 */
record Opening(double openMs, double claimMs, double closeMs) {
  private static final double NS_PER_MS = 1e6;

  static Opening of(long startNs, long openedNs, long claimedNs, long closedNs) {
    return new Opening(
        (openedNs - startNs) / NS_PER_MS,
        (claimedNs - openedNs) / NS_PER_MS,
        (closedNs - claimedNs) / NS_PER_MS);
  }

  double totalMs() {
    return openMs + claimMs;
  }
}
