package io.entroq.simulator.model;

import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import java.util.ArrayList;
import java.util.List;

/** What a ClaimDocs needs and what it does (contract 2.8). One instance per command. */
final class ClaimDocsRules {
  private final State state;
  private final ClaimDocs claim;
  private final long nowMs;
  private final boolean claimantConflicts;

  ClaimDocsRules(State state, ClaimDocs claim, long nowMs) {
    this.state = state;
    this.claim = claim;
    this.nowMs = nowMs;
    this.claimantConflicts = new ClaimantRules(state).conflicts(claim.getClaimant());
  }

  /** Why nothing happens, without place and time; null if docs are claimed. */
  Result.Builder refusal() {
    if (state.level < DocRules.LEVEL) {
      return Result.newBuilder().setCode(ResultCode.RESULT_NO_DOCS);
    }
    if (claimantConflicts) {
      return ClaimantRules.refusal();
    }
    if (found().isEmpty()) {
      return Result.newBuilder().setCode(ResultCode.RESULT_EMPTY);
    }
    Result.Builder held = Result.newBuilder().setCode(ResultCode.RESULT_DEPENDENCY);
    held().forEach(doc -> held.addDocs(doc.withoutValue()));
    return held.getDocsCount() > 0 ? held : null;
  }

  private List<ModelDoc> found() {
    return state.docs.ofKey(claim.getNamespace(), claim.getKey());
  }

  /** The docs of the key that somebody else holds. */
  List<ModelDoc> held() {
    return found().stream()
        .filter(doc -> doc.isOtherwiseClaimed(claim.getClaimant(), nowMs))
        .toList();
  }

  /** Claims all of them, by secondary key. */
  List<ModelDoc> commit() {
    List<ModelDoc> claimed = new ArrayList<>();
    for (ModelDoc doc : found()) {
      Doc.Builder leased =
          doc.fields().toBuilder()
              .setVersion(doc.fields().getVersion() + 1)
              .setArrivalMs(leaseEnd())
              .setModifiedMs(nowMs)
              .clearClaimant();
      ClaimantRules.set(leased, claim.getClaimant());
      claimed.add(state.docs.replace(leased.build()));
    }
    return claimed;
  }

  private long leaseEnd() {
    long end = nowMs + claim.getLeaseMs();
    return end < nowMs ? Long.MAX_VALUE : end;
  }
}
