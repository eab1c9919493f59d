package io.entroq.service.admission;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.service.admission.AdmissionTicket.Kind;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;

/**
 * Starts each call when its limit has room. Some methods start at once: CancelClaim, which makes
 * room; Time, which is cheap and serves health checks; and those of a feed, whose calls last and
 * have a limit of their own.
 */
final class AdmissionService extends ServiceFilter {
  /** Reserved for each item of a response whose number of items is known, in bytes. */
  private static final int ITEM_BYTES = 64 << 10;

  /** Reserved for a page of a listing, and for the docs of a claim, in bytes. */
  private static final int PAGE_BYTES = 1 << 20;

  private final Admission admission;

  /** By method index; null if the method starts at once. */
  private final ConcurrencyLimit[] limits;

  AdmissionService(Admission admission, Service next) {
    super(next);
    this.admission = admission;
    limits = Method.ALL.stream().map(this::limit).toArray(ConcurrencyLimit[]::new);
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    ConcurrencyLimit limit = limits[method.index()];
    if (limit == null) {
      return next.handle(method, context, request, reply);
    }
    AdmissionTicket<S> ticket =
        new AdmissionTicket<>(
            admission,
            limit,
            reply,
            context,
            request.getSerializedSize(),
            responseBytes(method, limit.kind(), request),
            admitted -> next.handle(method, context, request, admitted));
    limit.enter(ticket);
    return ticket;
  }

  /** The limit of a method; null if it has none. */
  private ConcurrencyLimit limit(Method<?, ?> method) {
    if (method == Method.CANCEL_CLAIM
        || method == Method.TIME
        || method == Method.TAIL
        || method == Method.RANGE) {
      return null;
    }
    if (method == Method.CLAIM) {
      return admission.claims();
    }
    // ClaimDocs writes, so it does not wait behind reads.
    if (method == Method.MODIFY || method == Method.TRY_CLAIM || method == Method.CLAIM_DOCS) {
      return admission.requests();
    }
    return method.isStream() ? admission.streams() : admission.listings();
  }

  /** The bytes reserved for the response when the call starts. */
  private int responseBytes(Method<?, ?> method, Kind kind, Message request) {
    if (kind == Kind.ONE_RESPONSE) {
      return method == Method.CLAIM_DOCS
          ? PAGE_BYTES
          : (int) Math.min(PAGE_BYTES, leaseChanges(request) * ITEM_BYTES);
    }
    int page = (int) Math.min(PAGE_BYTES, items(request) * ITEM_BYTES);
    return kind == Kind.LISTING ? Math.min(admission.responseBytesMax(), page) : page;
  }

  /** The response repeats the tasks whose leases change; of others it has what was sent. */
  private static long leaseChanges(Message request) {
    long changes = 0;
    if (request instanceof ModifyRequest modify) {
      for (int i = 0; i < modify.getChangesCount(); i++) {
        ChangeMode mode = modify.getChanges(i).getMode();
        changes += mode == ChangeMode.CHANGE_LEASE || mode == ChangeMode.CHANGE_TAKE_BACK ? 1 : 0;
      }
    }
    return changes;
  }

  /** The most items that a listing can return. */
  private static long items(Message request) {
    if (request instanceof TasksRequest tasks) {
      long limit = limitOrAll(tasks.getLimit());
      return tasks.getTaskIdCount() > 0 ? Math.min(limit, tasks.getTaskIdCount()) : limit;
    }
    if (request instanceof QueuesRequest queues) {
      return limitOrAll(queues.getLimit());
    }
    if (request instanceof DocsRequest docs) {
      return limitOrAll(docs.getQuery().getLimit());
    }
    if (request instanceof NamespacesRequest namespaces) {
      return limitOrAll(namespaces.getLimit());
    }
    if (request instanceof ListPoliciesRequest policies) {
      return limitOrAll(policies.getLimit());
    }
    // A question about one task.
    return 1;
  }

  private static long limitOrAll(int limit) {
    return limit > 0 ? limit : Integer.MAX_VALUE;
  }
}
