package io.entroq.service.admission;

import com.google.protobuf.MessageLite;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimDocsResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.DocsResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.NamespacesResponse;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.ForwardingService;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.StreamReply;
import java.util.function.Function;

/**
 * A service whose calls go on when there is room. Two do at once: the end of a claim, which makes
 * room, and the time, which takes next to nothing and says whether the server is alive.
 */
final class AdmissionService extends ForwardingService {
  /** What is kept free for an item of a listing of which the number is known, in bytes. */
  private static final int ITEM_BYTES = 64 << 10;

  /**
   * What a listing has in memory at first, and one that is answered item by item all the time: a
   * page of the engine's. As much is kept free for the docs of a claim.
   */
  private static final int PAGE_BYTES = 1 << 20;

  private final Admission admission;
  private final Service service;

  AdmissionService(Admission admission, Service service) {
    super(service);
    this.admission = admission;
    this.service = service;
  }

  @Override
  public Call tryClaim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return request(context, request, reply, turn -> service.tryClaim(context, request, turn));
  }

  @Override
  public Call claim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return enter(
        admission.claims(),
        context,
        request,
        0,
        AdmissionTicket.Kind.ONE_ANSWER,
        reply,
        turn -> service.claim(context, request, turn));
  }

  @Override
  public Call modify(CallContext context, ModifyRequest request, Reply<ModifyResponse> reply) {
    return request(context, request, reply, turn -> service.modify(context, request, turn));
  }

  @Override
  public Call tasks(CallContext context, TasksRequest request, Reply<TasksResponse> reply) {
    return listing(
        context, request, items(request), reply, turn -> service.tasks(context, request, turn));
  }

  @Override
  public Call streamTasks(
      CallContext context, TasksRequest request, StreamReply<TasksResponse> reply) {
    return enter(
        admission.streams(),
        context,
        request,
        firstBytes(items(request)),
        AdmissionTicket.Kind.STREAM,
        reply,
        turn -> service.streamTasks(context, request, turn));
  }

  /** How many tasks a listing has at most. */
  private static long items(TasksRequest request) {
    long limit = request.getLimit() > 0 ? request.getLimit() : Integer.MAX_VALUE;
    return request.getTaskIdCount() > 0 ? Math.min(limit, request.getTaskIdCount()) : limit;
  }

  @Override
  public Call queues(CallContext context, QueuesRequest request, Reply<QueuesResponse> reply) {
    return listing(
        context,
        request,
        limited(request.getLimit()),
        reply,
        turn -> service.queues(context, request, turn));
  }

  @Override
  public Call queueStats(CallContext context, QueuesRequest request, Reply<QueuesResponse> reply) {
    return listing(
        context,
        request,
        limited(request.getLimit()),
        reply,
        turn -> service.queueStats(context, request, turn));
  }

  private static long limited(int limit) {
    return limit > 0 ? limit : Integer.MAX_VALUE;
  }

  @Override
  public Call docs(CallContext context, DocsRequest request, Reply<DocsResponse> reply) {
    return listing(
        context,
        request,
        limited(request.getQuery().getLimit()),
        reply,
        turn -> service.docs(context, request, turn));
  }

  @Override
  public Call claimDocs(
      CallContext context, ClaimDocsRequest request, Reply<ClaimDocsResponse> reply) {
    // Does something, and is not to wait for those who only look.
    return enter(
        admission.requests(),
        context,
        request,
        PAGE_BYTES,
        AdmissionTicket.Kind.ONE_ANSWER,
        reply,
        turn -> service.claimDocs(context, request, turn));
  }

  @Override
  public Call namespaceStats(
      CallContext context, NamespacesRequest request, Reply<NamespacesResponse> reply) {
    return listing(
        context,
        request,
        limited(request.getLimit()),
        reply,
        turn -> service.namespaceStats(context, request, turn));
  }

  private <S extends MessageLite> Call request(
      CallContext context,
      MessageLite request,
      Reply<S> reply,
      Function<AdmissionTicket<S>, Call> beginning) {
    return enter(
        admission.requests(),
        context,
        request,
        0,
        AdmissionTicket.Kind.ONE_ANSWER,
        reply,
        beginning);
  }

  private <S extends MessageLite> Call listing(
      CallContext context,
      MessageLite request,
      long items,
      Reply<S> reply,
      Function<AdmissionTicket<S>, Call> beginning) {
    return enter(
        admission.listings(),
        context,
        request,
        Math.min(admission.answerBytesMax(), firstBytes(items)),
        AdmissionTicket.Kind.LISTING,
        reply,
        beginning);
  }

  private static int firstBytes(long items) {
    return (int) Math.min(PAGE_BYTES, items * ITEM_BYTES);
  }

  private <S extends MessageLite> Call enter(
      ConcurrencyLimit room,
      CallContext context,
      MessageLite request,
      int answerBytes,
      AdmissionTicket.Kind kind,
      Reply<S> reply,
      Function<AdmissionTicket<S>, Call> beginning) {
    AdmissionTicket<S> turn =
        new AdmissionTicket<>(
            admission,
            room,
            reply,
            context,
            request.getSerializedSize(),
            answerBytes,
            kind,
            beginning);
    room.enter(turn);
    return turn;
  }
}
