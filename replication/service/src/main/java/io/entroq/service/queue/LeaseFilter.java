package io.entroq.service.queue;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.limit.LeaseBounds;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;

/**
 * Gives each claim of tasks or docs a lease within bounds (protocol 2, 3.8). The response tells in
 * its metadata if that is another lease than the one asked for, and in the arrival times of what
 * was claimed. Renewals, and claims of docs for the lease of a task, pass unchanged. So does the v0
 * API, where no duration means no lease.
 */
public final class LeaseFilter extends ServiceFilter {
  /** The metadata of a response whose lease is not the one asked for. */
  public static final String CLAMPED = "entroq-lease-clamped";

  private final LeaseBounds bounds;
  private final ClampedLeases clamped;

  private LeaseFilter(Service next, LeaseBounds bounds, ClampedLeases clamped) {
    super(next);
    this.bounds = bounds;
    this.clamped = clamped;
  }

  /**
   * In front of a service, if its API has bounds.
   *
   * @param clamped counts the leases that were raised or lowered
   */
  public static Service before(Service next, LeaseBounds bounds, ClampedLeases clamped) {
    return next.facade() == Facade.V1 ? new LeaseFilter(next, bounds, clamped) : next;
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    Q bounded;
    try {
      bounded = bounded(method, request, reply);
    } catch (RefusedException e) {
      reply.fail(e.refusal());
      return Call.done();
    }
    return next.handle(method, context, bounded, reply);
  }

  // The type of a request is that of its method.
  @SuppressWarnings("unchecked")
  private <Q extends Message> Q bounded(Method<Q, ?> method, Q request, Reply<?> reply) {
    Message bounded = request;
    if (method == Method.CLAIM) {
      bounded = tasks("claim", (ClaimRequest) request, reply);
    } else if (method == Method.TRY_CLAIM) {
      bounded = tasks("try claim", (ClaimRequest) request, reply);
    } else if (method == Method.CLAIM_DOCS) {
      bounded = docs((ClaimDocsRequest) request, reply);
    } else if (method == Method.MODIFY && ((ModifyRequest) request).hasThenClaim()) {
      bounded = thenClaim((ModifyRequest) request, reply);
    }
    return (Q) bounded;
  }

  private ModifyRequest thenClaim(ModifyRequest modify, Reply<?> reply) {
    ClaimRequest claim = modify.getThenClaim();
    ClaimRequest bounded = tasks("modify: then_claim", claim, reply);
    return bounded.getDurationMs() == claim.getDurationMs()
        ? modify
        : modify.toBuilder().setThenClaim(bounded).build();
  }

  private ClaimRequest tasks(String prefix, ClaimRequest claim, Reply<?> reply) {
    long requestedMs = requirePositive(prefix, claim.getDurationMs());
    long grantedMs = granted(requestedMs, ClampedLeases.Kind.TASK, reply);
    return grantedMs == requestedMs ? claim : claim.toBuilder().setDurationMs(grantedMs).build();
  }

  private ClaimDocsRequest docs(ClaimDocsRequest claim, Reply<?> reply) {
    long requestedMs = requirePositive("claim docs", claim.getClaimQuery().getDurationMs());
    if (!claim.hasClaimQuery() || claim.getClaimQuery().hasTaskToMatch()) {
      // The lease of the task counts instead.
      return claim;
    }
    long grantedMs = granted(requestedMs, ClampedLeases.Kind.DOC, reply);
    if (grantedMs == requestedMs) {
      return claim;
    }
    ClaimDocsRequest.Builder bounded = claim.toBuilder();
    bounded.getClaimQueryBuilder().setDurationMs(grantedMs);
    return bounded.build();
  }

  /** Allows 0, which stands for no duration. */
  private static long requirePositive(String prefix, long durationMs) {
    if (durationMs < 0) {
      throw new RefusedException(
          Refusal.invalid(
              "%s: claim duration must be positive, got %dms".formatted(prefix, durationMs)));
    }
    return durationMs;
  }

  private long granted(long requestedMs, ClampedLeases.Kind kind, Reply<?> reply) {
    long grantedMs = bounds.granted(requestedMs);
    if (grantedMs != requestedMs && requestedMs > 0) {
      ClampedLeases.Reason reason =
          grantedMs > requestedMs
              ? ClampedLeases.Reason.BELOW_FLOOR
              : ClampedLeases.Reason.ABOVE_CEILING;
      clamped.count(kind, reason);
      reply.metadata(
          CLAMPED,
          "%s; requested_ms=%d; granted_ms=%d".formatted(reason.label(), requestedMs, grantedMs));
    }
    return grantedMs;
  }
}
