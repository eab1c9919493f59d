package io.entroq.service.authorization;

import com.google.protobuf.Message;
import io.entroq.service.limit.Limit;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;

/**
 * The decision of an authorizer.
 *
 * @param refusal the caller's error; empty if the request is allowed
 * @param isFailure whether it was denied because no decision could be obtained
 * @param failed the denied queues; empty if the authorizer names none
 */
record Decision(Optional<Refusal> refusal, boolean isFailure, List<DeniedItem> failed) {
  static final Decision ALLOWED = new Decision(Optional.empty(), false, List.of());

  static Decision denied(List<? extends Message> details, List<DeniedItem> failed) {
    return new Decision(
        Optional.of(new Refusal(Status.Code.PERMISSION_DENIED, "queue action denied", details)),
        false,
        failed);
  }

  /** Denied because no decision could be obtained. */
  static Decision unknown(String why) {
    return refused(new Refusal(Status.Code.PERMISSION_DENIED, "unknown authz error: " + why), true);
  }

  /** Refused for now: the caller should retry. */
  static Decision busy() {
    return refused(
        Limit.QUEUED_AUTHORIZATIONS.refusal(
            "too many calls wait for the authorizer, or this connection or address has its share of"
                + " the queue. Nothing was done. Try again later"),
        true);
  }

  private static Decision refused(Refusal refusal, boolean isFailure) {
    return new Decision(Optional.of(refusal), isFailure, List.of());
  }

  boolean isAllowed() {
    return refusal.isEmpty();
  }

  /** Whether the denial covers a permission; a denial that names no queues covers all. */
  boolean covers(Permission permission) {
    return failed.isEmpty() || failed.stream().anyMatch(item -> item.covers(permission));
  }
}
