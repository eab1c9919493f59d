package io.entroq.service.validation;

import io.entroq.codec.wire.edge.ClaimRequest;

/** What a claim of tasks must have. */
final class ClaimRules {
  /** Bytes of a claimant. */
  static final int CLAIMANT_BYTES_MAX = 64;

  private ClaimRules() {}

  static void check(ClaimRequest claim) {
    checkQueues(claim);
    requireClaimant(claim.getClaimantId(), "claim");
  }

  /** A claim inside a Modify, which supplies the claimant. */
  static void checkInner(ClaimRequest claim) {
    checkQueues(claim);
  }

  private static void checkQueues(ClaimRequest claim) {
    if (claim.getQueuesCount() == 0) {
      throw Invalid.because("claim must name at least one queue");
    }
    requirePositive(claim.getDurationMs());
  }

  static void requireClaimant(String claimant, String what) {
    if (claimant.isEmpty()) {
      throw Invalid.because("%s must name a claimant", what);
    }
    requireShort(claimant);
  }

  static void requireShort(String claimant) {
    Invalid.requireShort("claimant", claimant, CLAIMANT_BYTES_MAX);
  }

  /** Allows 0, which stands for no duration. */
  static void requirePositive(long durationMs) {
    if (durationMs < 0) {
      throw Invalid.because("claim duration must be positive, got %dms", durationMs);
    }
  }
}
