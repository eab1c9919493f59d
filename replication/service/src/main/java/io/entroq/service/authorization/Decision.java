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
 * @param refusal what the caller gets; empty if it is allowed
 * @param isFailure whether it is denied because there was no decision
 * @param failed the queues that are the reason; empty if the authorizer names none
 */
record Decision(Optional<Refusal> refusal, boolean isFailure, List<DeniedItem> failed) {
  static final Decision ALLOWED = new Decision(Optional.empty(), false, List.of());

  static Decision denied(List<? extends Message> details, List<DeniedItem> failed) {
    return new Decision(
        Optional.of(new Refusal(Status.Code.PERMISSION_DENIED, "queue action denied", details)),
        false,
        failed);
  }

  /** Denied because there is no decision. */
  static Decision unknown(String why) {
    return refused(new Refusal(Status.Code.PERMISSION_DENIED, "unknown authz error: " + why), true);
  }

  /** Denied for now: the caller should try again. */
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

  /** Whether a permission may be the reason for the denial: any may, if the denial names none. */
  boolean isAbout(Permission permission) {
    return failed.isEmpty() || failed.stream().anyMatch(item -> item.isAbout(permission));
  }
}
