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
  /** From this level on a Modify is told all that it was told at first. */
  static final int WHOLE_LEVEL = 6;

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
        .addAllClaimed(isLost ? List.of() : asKnown(receipt, claimed))
        .clearInserted()
        .addAllInserted(asKnown(receipt, receipt.written().subList(0, inserted)))
        .clearChanged()
        .addAllChanged(
            asKnown(receipt, receipt.written().subList(inserted, receipt.written().size())))
        .clearDocs()
        .addAllDocs(
            receipt.docs().stream().map(doc -> asKnown(receipt, doc, areDocsClaimed)).toList())
        .build();
  }

  private List<Task> asKnown(Receipt receipt, List<ModelTask> tasks) {
    return tasks.stream().map(task -> asKnown(receipt, task)).toList();
  }

  private Task asKnown(Receipt receipt, ModelTask task) {
    if (claims.stands(task)) {
      return state.tasks.find(task.key()).fields();
    }
    return receipt.isWhole() ? unsent(task.fields()) : known(task.fields());
  }

  private Doc asKnown(Receipt receipt, ModelDoc doc, boolean withValue) {
    ModelDoc now = state.docs.find(doc.name());
    if (!state.docs.stands(doc)) {
      return receipt.isWhole() ? unsent(doc.fields()) : known(doc.fields());
    }
    return withValue ? now.fields() : now.withoutValue();
  }

  /** What the request does not say again. */
  private static Task unsent(Task task) {
    Task.Builder unsent =
        task.toBuilder().clearQueue().clearValueKind().clearValue().clearAttempt().clearErr();
    unsent.getIdBuilder().clearText();
    return unsent.build();
  }

  private static Doc unsent(Doc doc) {
    Doc.Builder unsent =
        doc.toBuilder().clearKey().clearSecondaryKey().clearValueKind().clearValue();
    unsent.getIdBuilder().clearText();
    return unsent.build();
  }

  private static Task known(Task task) {
    return Task.newBuilder()
        .setId(task.getId().toBuilder().clearText())
        .setVersion(task.getVersion())
        .build();
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
   * anything, unless the receipt is whole.
   */
  static Result comparable(Receipt receipt, Result result) {
    if (receipt.isWhole()) {
      return result;
    }
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
    return isStanding ? task : known(task);
  }
}
