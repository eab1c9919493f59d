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
 * @param isFailure whether it was refused because no decision could be obtained
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

  /** Denied because the authorizer will not decide, however often it is asked. */
  static Decision undecided(String why) {
    return refused(unknown(Status.Code.PERMISSION_DENIED, why), true);
  }

  /**
   * Refused because the authorizer cannot decide now. Not a denial: on that, a producer would give
   * up its tasks.
   */
  static Decision unavailable(String why) {
    return refused(unknown(Status.Code.UNAVAILABLE, why + "; nothing was done, try again"), true);
  }

  private static Refusal unknown(Status.Code code, String why) {
    return new Refusal(code, "unknown authz error: " + why);
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
