package io.entroq.service.validation;

import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.service.call.Protocol;
import io.entroq.service.translation.RefusedException;

/** What a Modify must have. */
final class ModifyRules {
  private ModifyRules() {}

  static void check(ModifyRequest modify, Protocol protocol) {
    if (isEmpty(modify)) {
      throw Invalid.because("nothing to do");
    }
    if (storesClaimant(modify)) {
      ClaimRules.requireShort(modify.getClaimantId());
    }
    TaskRules.check(modify, protocol);
    DocRules.check(modify, protocol);
    if (PolicyRules.count(modify) > 0) {
      PolicyRules.check(modify);
    }
    DuplicateItems.refuse(modify);
    if (modify.hasThenClaim()) {
      checkThenClaim(modify);
    }
  }

  private static boolean isEmpty(ModifyRequest modify) {
    return TaskRules.count(modify) == 0
        && DocRules.count(modify) == 0
        && PolicyRules.count(modify) == 0
        && !modify.hasThenClaim();
  }

  /** Deletes and depends store nothing, so nothing bounds the claimant of a Modify without more. */
  private static boolean storesClaimant(ModifyRequest modify) {
    return modify.getInsertsCount() > 0
        || modify.getChangesCount() > 0
        || modify.getDocInsertsCount() > 0
        || modify.getDocChangesCount() > 0
        || modify.hasThenClaim();
  }

  private static void checkThenClaim(ModifyRequest modify) {
    try {
      ClaimRules.checkInner(modify.getThenClaim());
    } catch (RefusedException e) {
      throw new RefusedException(e.refusal().of("then_claim"));
    }
  }
}
