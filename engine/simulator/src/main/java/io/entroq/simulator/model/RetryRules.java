package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import java.util.List;

/** What a request is told that was answered before (core 4.1): receipts are kept, not replies. */
final class RetryRules {
  private final State state;
  private final ClaimRules claims;

  RetryRules(State state, ClaimRules claims) {
    this.state = state;
    this.claims = claims;
  }

  /**
   * The first answer once more, with what is still known of its tasks. Claimed tasks are shown if
   * every one stands as it was given.
   */
  Result again(Step step, Receipt receipt) {
    Result first = receipt.result();
    boolean isLost = !receipt.grants().stream().allMatch(grant -> claims.stands(grant.after()));
    if (isLost && receipt.kind() == Claim.class) {
      return step.result(ResultCode.RESULT_CLAIM_LOST).build();
    }
    boolean isDocLost = !receipt.docs().stream().allMatch(state.docs::stands);
    boolean areDocsClaimed =
        receipt.kind() == ClaimDocs.class && first.getCode() == ResultCode.RESULT_OK;
    if (isDocLost && areDocsClaimed) {
      return step.result(ResultCode.RESULT_CLAIM_LOST).build();
    }
    int inserted = first.getInsertedCount();
    List<ModelTask> claimed = receipt.grants().stream().map(Grant::after).toList();
    return first.toBuilder()
        .setSequence(step.sequence)
        .setLogTimeMs(step.nowMs)
        .clearClaimed()
        .addAllClaimed(isLost ? List.of() : asKnown(claimed))
        .clearInserted()
        .addAllInserted(asKnown(receipt.written().subList(0, inserted)))
        .clearChanged()
        .addAllChanged(asKnown(receipt.written().subList(inserted, receipt.written().size())))
        .clearDocs()
        .addAllDocs(receipt.docs().stream().map(doc -> asKnown(doc, areDocsClaimed)).toList())
        .build();
  }

  private List<Task> asKnown(List<ModelTask> tasks) {
    return tasks.stream().map(this::asKnown).toList();
  }

  private Task asKnown(ModelTask task) {
    return claims.stands(task)
        ? state.tasks.find(task.key()).fields()
        : Task.newBuilder()
            .setId(task.fields().getId())
            .setVersion(task.fields().getVersion())
            .build();
  }

  private Doc asKnown(ModelDoc doc, boolean withValue) {
    ModelDoc now = state.docs.find(doc.name());
    if (!state.docs.stands(doc)) {
      return known(doc.fields());
    }
    return withValue ? now.fields() : now.withoutValue();
  }

  private static Doc known(Doc doc) {
    return Doc.newBuilder()
        .setNamespace(doc.getNamespace())
        .setId(doc.getId().toBuilder().clearText())
        .setVersion(doc.getVersion())
        .build();
  }

  /**
   * Of a task or doc that has moved on only id and version are told again; the rest may be
   * anything.
   */
  static Result comparable(Result result) {
    Result.Builder comparable = result.toBuilder().clearInserted().clearChanged().clearDocs();
    result.getInsertedList().forEach(task -> comparable.addInserted(comparable(task)));
    result.getChangedList().forEach(task -> comparable.addChanged(comparable(task)));
    result
        .getDocsList()
        .forEach(doc -> comparable.addDocs(doc.getCreatedMs() == 0 ? known(doc) : doc));
    return comparable.build();
  }

  private static Task comparable(Task task) {
    boolean isStanding = !task.getQueue().isEmpty();
    return isStanding
        ? task
        : Task.newBuilder()
            .setId(task.getId().toBuilder().clearText())
            .setVersion(task.getVersion())
            .build();
  }
}
