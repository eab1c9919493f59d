package io.entroq.service.admission;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.DocsRequest;
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
 * Lets each call start when its limit has room. Two methods start at once: the end of a claim,
 * which makes room, and the time, which costs next to nothing and tells whether the server is
 * alive.
 */
final class AdmissionService extends ServiceFilter {
  /** Reserved for each item of a listing whose number of items is known, in bytes. */
  private static final int ITEM_BYTES = 64 << 10;

  /** Reserved for a page of a listing, and for the docs of a claim, in bytes. */
  private static final int PAGE_BYTES = 1 << 20;

  private final Admission admission;

  /** By the method's index; null: the method starts at once. */
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
            to -> next.handle(method, context, request, to));
    limit.enter(ticket);
    return ticket;
  }

  /** The limit of a method; null: none. */
  private ConcurrencyLimit limit(Method<?, ?> method) {
    if (method == Method.CANCEL_CLAIM || method == Method.TIME) {
      return null;
    }
    if (method == Method.CLAIM) {
      return admission.claims();
    }
    // ClaimDocs changes something, and does not wait for those who only read.
    if (method == Method.MODIFY || method == Method.TRY_CLAIM || method == Method.CLAIM_DOCS) {
      return admission.requests();
    }
    return method.isStream() ? admission.streams() : admission.listings();
  }

  /** What is reserved for the response when the call starts. */
  private int responseBytes(Method<?, ?> method, Kind kind, Message request) {
    if (kind == Kind.ONE_RESPONSE) {
      return method == Method.CLAIM_DOCS ? PAGE_BYTES : 0;
    }
    int page = (int) Math.min(PAGE_BYTES, items(request) * ITEM_BYTES);
    return kind == Kind.LISTING ? Math.min(admission.responseBytesMax(), page) : page;
  }

  /** How many items a listing has at most. */
  private static long items(Message request) {
    if (request instanceof TasksRequest tasks) {
      long limit = orAll(tasks.getLimit());
      return tasks.getTaskIdCount() > 0 ? Math.min(limit, tasks.getTaskIdCount()) : limit;
    }
    if (request instanceof QueuesRequest queues) {
      return orAll(queues.getLimit());
    }
    if (request instanceof DocsRequest docs) {
      return orAll(docs.getQuery().getLimit());
    }
    return orAll(((NamespacesRequest) request).getLimit());
  }

  private static long orAll(int limit) {
    return limit > 0 ? limit : Integer.MAX_VALUE;
  }
}
