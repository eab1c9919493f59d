package io.entroq.service.translation;

import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.edge.FullQueue;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskChange;
import io.grpc.Status;
import java.util.List;

/** The refusals for results that are not OK. */
final class ResultRefusals {
  private ResultRefusals() {}

  /**
   * Checks the result of a claim.
   *
   * @throws RefusedException if it was refused
   */
  static void requireOk(ResultDecoder result) {
    requireOk(result, ModifyRequest.getDefaultInstance());
  }

  /**
   * Checks the result of a Modify.
   *
   * @throws RefusedException if it was refused
   */
  static void requireOk(ResultDecoder result, ModifyRequest request) {
    if (result.code() != ResultCodes.OK) {
      throw new RefusedException(of(result, request));
    }
  }

  /**
   * Checks the result of a claim of docs.
   *
   * @throws RefusedException if it was refused
   */
  static void requireDocs(ResultDecoder result) {
    if (result.code() != ResultCodes.OK) {
      throw new RefusedException(ofDocs(result));
    }
  }

  private static Refusal ofDocs(ResultDecoder result) {
    return switch (result.code()) {
      case ResultCodes.KEY_COLLISION ->
          Refusal.invalid("claim_query.claimant: has the same hash as another stored claimant");
      case ResultCodes.VERSION_EXHAUSTED ->
          Refusal.invalid(
              "claim_query.key: one of its docs has the highest version there is; delete that doc"
                  + " and insert it again");
      case ResultCodes.CLAIM_LOST ->
          new Refusal(
              Status.Code.FAILED_PRECONDITION,
              "request_number: claimed docs that have since been lost; use a new number");
      default -> of(result, ModifyRequest.getDefaultInstance());
    };
  }

  private static Refusal of(ResultDecoder result, ModifyRequest request) {
    return switch (result.code()) {
      case ResultCodes.DUPLICATE_ITEM -> twice(item(result), noun(result));
      case ResultCodes.KEY_COLLISION ->
          Refusal.invalid(item(result) + ": its id has the same hash as another stored id");
      case ResultCodes.VERSION_EXHAUSTED ->
          Refusal.invalid(
              item(result) + ": has the highest version there is; delete it and insert it again");
      case ResultCodes.QUEUE_FULL -> queueFull(result, request);
      case ResultCodes.NEVER_FITS -> neverFits(result, request);
      case ResultCodes.QUEUE_BYTES_FULL -> queueBytesFull(result, request);
      case ResultCodes.TOO_MANY_POLICIES ->
          Refusal.exhausted(
              item(result)
                  + ": there are as many policies, or limiters, as --policies-max allows. Nothing was"
                  + " done. Delete some, or raise it");
      case ResultCodes.POLICY_CIRCLE ->
          Refusal.invalid(item(result) + ": with it, dead queues would lead in a circle");
      case ResultCodes.POOL_TOO_DEEP ->
          Refusal.invalid(
              item(result) + ": with it, pools would be nested deeper than three levels");
      case ResultCodes.LEVEL_TOO_LOW -> Refusal.LEVEL_TOO_LOW;
      default -> ofIdentity(result.code());
    };
  }

  /** A request names the same task or doc in two items. */
  static Refusal twice(String item, String what) {
    return Refusal.invalid("%s: the request contains the same %s twice".formatted(item, what));
  }

  private static Refusal ofIdentity(int code) {
    return switch (code) {
      case ResultCodes.CLAIM_LOST ->
          new Refusal(
              Status.Code.FAILED_PRECONDITION,
              "request_number: claimed tasks that have since been lost; use a new number");
      case ResultCodes.CANCELLED ->
          new Refusal(
              Status.Code.FAILED_PRECONDITION,
              "request_number: the claim was cancelled before; use a new number");
      case ResultCodes.OUTCOME_UNKNOWN -> Refusal.CLIENT_UNKNOWN;
      case ResultCodes.IDENTITY_REUSED -> Refusal.IDENTITY_REUSED;
      case ResultCodes.IDENTITY_STALE ->
          Refusal.invalid("request_number: below an earlier acked_below");
      case ResultCodes.IDENTITY_WINDOW ->
          Refusal.exhausted(
              "request_number: the client has too many open requests; raise acked_below");
      default -> new Refusal(Status.Code.INTERNAL, "the engine returned code " + code);
    };
  }

  private static Refusal queueFull(ResultDecoder result, ModifyRequest request) {
    return noRoom(
        Status.Code.RESOURCE_EXHAUSTED,
        "%s: queue %s has %,d tasks and would have more than the %,d that a queue may have."
            + " Nothing was done. Try again when some of its tasks are done",
        result,
        request);
  }

  private static Refusal queueBytesFull(ResultDecoder result, ModifyRequest request) {
    return noRoom(
        Status.Code.RESOURCE_EXHAUSTED,
        "%s: queue %s has %,d bytes of tasks and would have more than the %,d that its policy"
            + " allows. Nothing was done. Try again when some of its tasks are done",
        result,
        request);
  }

  private static Refusal neverFits(ResultDecoder result, ModifyRequest request) {
    return noRoom(
        Status.Code.INVALID_ARGUMENT,
        "%s: queue %s would have %,d tasks of this request alone, more than the %,d that a queue"
            + " may have. Nothing was done, and a retry cannot succeed. Split the request",
        result,
        request);
  }

  /**
   * @param format of the item, its queue, what that has or would have, and what it may have
   */
  private static Refusal noRoom(
      Status.Code code, String format, ResultDecoder result, ModifyRequest request) {
    String queue =
        result.itemKind() == ItemKinds.INSERT
            ? request.getInserts(result.itemIndex()).getQueue()
            : queue(request.getChanges(result.itemIndex()));
    return new Refusal(
        code,
        format.formatted(item(result), queue, result.queueTasks(), result.queueTasksMax()),
        List.of(FullQueue.newBuilder().setQueue(queue).build()));
  }

  /** Where the task is after the change; it may stay, without naming the queue again. */
  private static String queue(TaskChange change) {
    String queue = change.getNewData().getQueue();
    return queue.isEmpty() ? change.getOldId().getQueue() : queue;
  }

  private static String noun(ResultDecoder result) {
    return switch (result.itemKind()) {
      case ItemKinds.INSERT, ItemKinds.CHANGE, ItemKinds.DELETE, ItemKinds.DEPEND, ItemKinds.FAIL ->
          "task";
      case ItemKinds.POLICY_PUT, ItemKinds.POLICY_DELETE, ItemKinds.PAUSE -> "policy";
      default -> "doc";
    };
  }

  /** The field that was refused. */
  private static String item(ResultDecoder result) {
    String list =
        switch (result.itemKind()) {
          case ItemKinds.INSERT -> "inserts";
          case ItemKinds.CHANGE -> "changes";
          case ItemKinds.DELETE -> "deletes";
          case ItemKinds.DEPEND -> "depends";
          case ItemKinds.DOC_INSERT -> "doc_inserts";
          case ItemKinds.DOC_CHANGE -> "doc_changes";
          case ItemKinds.DOC_DELETE -> "doc_deletes";
          case ItemKinds.DOC_DEPEND -> "doc_depends";
          case ItemKinds.FAIL -> "fails";
          case ItemKinds.POLICY_PUT -> "policy_puts";
          case ItemKinds.POLICY_DELETE -> "policy_deletes";
          case ItemKinds.PAUSE -> "pauses";
          default -> "";
        };
    return list.isEmpty() ? "claimant_id" : list + "[" + result.itemIndex() + "]";
  }
}
