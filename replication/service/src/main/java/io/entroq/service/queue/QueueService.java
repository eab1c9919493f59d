package io.entroq.service.queue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.CancelClaimResponse;
import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimDocsResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DocQuery;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.DocsResponse;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.ListPoliciesResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.NamespacesResponse;
import io.entroq.codec.wire.edge.PositionRequest;
import io.entroq.codec.wire.edge.PositionResponse;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.engine.gateway.ClaimWriter;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.gateway.Listing;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Handlers;
import io.entroq.service.call.Method;
import io.entroq.service.call.MinPosition;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.translation.ClaimCommandWriter;
import io.entroq.service.translation.ClaimDocsCommandWriter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.ModifyCommandWriter;
import io.entroq.service.translation.QueryCommandWriter;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.entroq.service.translation.RequestIdentities;
import io.entroq.service.translation.Responses;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.agrona.MutableDirectBuffer;

/** Executes the calls of one API in an engine. */
public final class QueueService implements Service {
  private static final long FEATURE_IDENTITY = 1;
  private static final long FEATURE_LIMIT = 1 << 1;
  private static final long FEATURE_THEN_CLAIM = 1 << 2;
  private static final long FEATURE_STREAM = 1 << 3;
  private static final long FEATURE_POSITIONS = 1 << 4;
  private static final long FEATURE_RAW_VALUES = 1 << 5;
  private static final long FEATURE_CLAIM_DEADLINE = 1 << 6;
  private static final long FEATURE_CANCEL_CLAIM = 1 << 7;
  private static final long FEATURE_POLICIES = 1 << 8;
  private static final long FEATURE_POOLS = 1 << 9;

  /** Those at every behavior level. */
  private static final long FEATURES =
      FEATURE_IDENTITY
          | FEATURE_LIMIT
          | FEATURE_THEN_CLAIM
          | FEATURE_STREAM
          | FEATURE_POSITIONS
          | FEATURE_RAW_VALUES
          | FEATURE_CLAIM_DEADLINE
          | FEATURE_CANCEL_CLAIM;

  private final Facade facade;
  private final Gateway gateway;
  private final BlockedClaims blocked;
  private final int messageBytesMax;
  private final ResponseSize size;
  private final Responses answers;
  private final RequestCheck check;
  private final Handlers handlers;

  /**
   * @param blocked gets the claims that wait
   * @param messageBytesMax bytes of a response
   */
  public QueueService(Facade facade, Gateway gateway, BlockedClaims blocked, int messageBytesMax) {
    this.facade = facade;
    this.gateway = gateway;
    this.blocked = blocked;
    this.messageBytesMax = messageBytesMax;
    this.size = new ResponseSize(messageBytesMax);
    this.answers = new Responses(facade);
    this.check = new RequestCheck(facade, gateway);
    handlers =
        new Handlers()
            .on(Method.TRY_CLAIM, this::tryClaim)
            .on(Method.CLAIM, this::claim)
            .on(Method.CANCEL_CLAIM, this::cancelClaim)
            .on(Method.MODIFY, this::modify)
            .on(Method.TASKS, this::tasks)
            .on(Method.STREAM_TASKS, this::streamTasks)
            .on(Method.TIME, this::time)
            .on(Method.DOCS, this::docs)
            .on(Method.CLAIM_DOCS, this::claimDocs)
            .on(Method.NAMESPACE_STATS, this::namespaceStats)
            .on(Method.LIST_POLICIES, this::listPolicies)
            .on(Method.POSITION, this::position)
            .on(Method.QUEUES, (context, request, reply) -> queues(context, request, true, reply))
            .on(
                Method.QUEUE_STATS,
                (context, request, reply) -> queues(context, request, false, reply));
  }

  @Override
  public Facade facade() {
    return facade;
  }

  @Override
  public Optional<Refusal> check(Method<?, ?> method, CallContext context, Message request) {
    try {
      check.require(method, context, request);
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(refusal(method, e));
    }
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    Handlers.Handler<Q, S> handler = handlers.of(method);
    if (handler == null) {
      // A filter would have handled it.
      reply.fail(
          new Refusal(
              Status.Code.UNIMPLEMENTED, method.label() + ": this server does not have it"));
      return Call.done();
    }
    try {
      return handler.handle(context, request, reply);
    } catch (RuntimeException e) {
      reply.fail(refusal(method, e));
      return Call.done();
    }
  }

  /** The refusal for an exception. Callers of the v1 API expect the method's name in it. */
  private Refusal refusal(Method<?, ?> method, RuntimeException e) {
    Refusal refusal = ResultReply.refusal(e);
    boolean isNamed = facade == Facade.V1 && refusal.code() == Status.Code.INVALID_ARGUMENT;
    return isNamed ? refusal.of(method.label()) : refusal;
  }

  private Call tryClaim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    AssigningCall call = new AssigningCall();
    int bytes = request.getSerializedSize();
    ClaimWriter writer =
        (buffer, identity) ->
            ClaimCommandWriter.ofThread()
                .write(buffer, facade, request, Optional.of(identity), false);
    Completion completion =
        new ResultReply<>(
            reply, result -> size.claimed(answers.claimed(result, request), reply, call::refuse));
    Optional<Identity> own = RequestIdentities.of(facade, request);
    return call.start(
        () ->
            own.isPresent()
                ? gateway.claim(own.get(), bytes, writer, completion)
                : gateway.claim(bytes, writer, completion));
  }

  private Call claim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return new ClaimCall(blocked, size, context, reply).start(gateway, facade, request);
  }

  private Call cancelClaim(
      CallContext context, CancelClaimRequest request, Reply<CancelClaimResponse> reply) {
    return Call.of(
        gateway.cancelClaim(
            RequestIdentities.of(request),
            new ResultReply<>(
                reply,
                result ->
                    CancelClaimResponse.newBuilder()
                        .setCancelled(result.code() == ResultCodes.OK)
                        .build())));
  }

  private Call modify(CallContext context, ModifyRequest request, Reply<ModifyResponse> reply) {
    int room = ModifyResponseSize.room(request, messageBytesMax);
    return facade == Facade.V1 && request.hasThenClaim()
        ? claimingModify(context, request, room, reply)
        : Call.of(
            gateway.modify(
                request.getSerializedSize(),
                room,
                buffer -> write(buffer, request, RequestIdentities.of(facade, request)),
                new ResultReply<>(
                    reply, result -> answers.modified(result, request, context.detailBytesMax()))));
  }

  private Call claimingModify(
      CallContext context, ModifyRequest request, int room, Reply<ModifyResponse> reply) {
    AssigningCall call = new AssigningCall();
    int bytes = request.getSerializedSize();
    ClaimWriter writer = (buffer, identity) -> write(buffer, request, Optional.of(identity));
    Completion completion =
        new ResultReply<>(
            reply,
            result ->
                size.modified(
                    answers.modified(result, request, context.detailBytesMax()),
                    reply,
                    call::refuse));
    Optional<Identity> own = RequestIdentities.of(facade, request);
    return call.start(
        () ->
            own.isPresent()
                ? gateway.claimingModify(own.get(), bytes, room, writer, completion)
                : gateway.claimingModify(bytes, room, writer, completion));
  }

  private int write(
      MutableDirectBuffer buffer, ModifyRequest request, Optional<Identity> identity) {
    // Before it is logged: in a cluster, older builds could not even read it.
    if (facade == Facade.V1 && !gateway.hasTakeBack() && takesBack(request)) {
      throw new RefusedException(Refusal.LEVEL_TOO_LOW);
    }
    return ModifyCommandWriter.ofThread()
        .write(buffer, facade, request, identity, gateway.limits());
  }

  private static boolean takesBack(ModifyRequest request) {
    return request.getChangesList().stream()
        .anyMatch(change -> change.getMode() == ChangeMode.CHANGE_TAKE_BACK);
  }

  private Call tasks(CallContext context, TasksRequest request, Reply<TasksResponse> reply) {
    return read(
        context,
        reply,
        () -> {
          List<IdKey> ids = QueryCommandWriter.ids(facade, request);
          if (isEmpty(request, ids)) {
            reply.send(TasksResponse.getDefaultInstance());
            return Call.done();
          }
          TasksResponse.Builder response = TasksResponse.newBuilder();
          return new ListingCall<>(
                  listing(request, ids),
                  messageBytesMax,
                  "ask for less with limit or omit_values, or use StreamTasks",
                  page -> answers.addTasks(page, request, response),
                  response::build,
                  reply)
              .next();
        });
  }

  private Call streamTasks(CallContext context, TasksRequest request, Reply<TasksResponse> reply) {
    return read(
        context,
        reply,
        () -> {
          List<IdKey> ids = QueryCommandWriter.ids(facade, request);
          if (isEmpty(request, ids)) {
            reply.complete();
            return Call.done();
          }
          return new TaskStream(facade, request.getRawValues(), listing(request, ids), reply)
              .start();
        });
  }

  /** Whether a listing names neither a queue nor an id: that lists nothing, not everything. */
  private static boolean isEmpty(TasksRequest request, List<IdKey> ids) {
    return ids.isEmpty() && (request.getTaskIdCount() > 0 || request.getQueue().isEmpty());
  }

  private Listing listing(TasksRequest request, List<IdKey> ids) {
    return gateway.tasks(buffer -> new QueryCommandWriter().tasks(buffer, facade, request, ids));
  }

  private Call queues(
      CallContext context, QueuesRequest request, boolean omitStats, Reply<QueuesResponse> reply) {
    return read(
        context,
        reply,
        () -> {
          QueuesResponse.Builder response = QueuesResponse.newBuilder();
          return new ListingCall<>(
                  gateway.queues(
                      buffer -> new QueryCommandWriter().queues(buffer, request, omitStats)),
                  messageBytesMax,
                  "ask for less with limit or by prefixes of names",
                  page -> answers.addQueues(page, omitStats, response),
                  response::build,
                  reply)
              .next();
        });
  }

  private Call time(CallContext context, TimeRequest request, Reply<TimeResponse> reply) {
    return read(
        context,
        reply,
        () ->
            Call.of(
                gateway.time(
                    new ResultReply<>(
                        reply,
                        result ->
                            TimeResponse.newBuilder()
                                .setTimeMs(result.logTimeMs())
                                .setFeatures(features())
                                .setLogId(logId())
                                .build()))));
  }

  /** The bytes of the log's id; empty before its first record, and over the v0 API. */
  private ByteString logId() {
    UUID id = facade == Facade.V0 ? null : gateway.logId();
    if (id == null) {
      return ByteString.EMPTY;
    }
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    return ByteString.copyFrom(bytes.flip());
  }

  private long features() {
    if (facade == Facade.V0) {
      return 0;
    }
    return FEATURES
        | (gateway.hasPolicies() ? FEATURE_POLICIES : 0)
        | (gateway.hasPools() ? FEATURE_POOLS : 0);
  }

  private Call docs(CallContext context, DocsRequest request, Reply<DocsResponse> reply) {
    return read(
        context,
        reply,
        () -> {
          DocQuery query = request.getQuery();
          List<IdKey> ids = QueryCommandWriter.ids(query);
          DocsResponse.Builder response = DocsResponse.newBuilder();
          if (query.getNamespace().isEmpty() || (ids.isEmpty() && query.getIdsCount() > 0)) {
            reply.send(response.build());
            return Call.done();
          }
          return new ListingCall<>(
                  gateway.docs(buffer -> new QueryCommandWriter().docs(buffer, query, ids)),
                  messageBytesMax,
                  "ask for less with limit, omit_values or a range of keys",
                  page -> Responses.addDocs(page, query, response),
                  response::build,
                  reply)
              .next();
        });
  }

  private Call claimDocs(
      CallContext context, ClaimDocsRequest request, Reply<ClaimDocsResponse> reply) {
    return Call.of(
        gateway.claimDocs(
            request.getSerializedSize(),
            messageBytesMax,
            buffer -> new ClaimDocsCommandWriter().write(buffer, request),
            new ResultReply<>(
                reply,
                result -> Responses.claimedDocs(result, request, context.detailBytesMax()))));
  }

  private Call namespaceStats(
      CallContext context, NamespacesRequest request, Reply<NamespacesResponse> reply) {
    return read(
        context,
        reply,
        () -> {
          NamespacesResponse.Builder response = NamespacesResponse.newBuilder();
          return new ListingCall<>(
                  gateway.namespaces(
                      buffer -> new QueryCommandWriter().namespaces(buffer, request)),
                  messageBytesMax,
                  "ask for less with limit or by prefixes of names",
                  page -> Responses.addNamespaces(page, response),
                  response::build,
                  reply)
              .next();
        });
  }

  private Call listPolicies(
      CallContext context, ListPoliciesRequest request, Reply<ListPoliciesResponse> reply) {
    return read(
        context,
        reply,
        () -> {
          ListPoliciesResponse.Builder response = ListPoliciesResponse.newBuilder();
          return new ListingCall<>(
                  gateway.policies(buffer -> new QueryCommandWriter().policies(buffer, request)),
                  messageBytesMax,
                  "ask for less with kind, prefix, name or limit",
                  page -> Responses.addPolicies(page, request.getName(), response),
                  response::build,
                  reply)
              .next();
        });
  }

  private Call position(
      CallContext context, PositionRequest request, Reply<PositionResponse> reply) {
    return read(
        context,
        reply,
        () -> {
          PositionResponse.Builder response = PositionResponse.newBuilder();
          return new ListingCall<>(
                  gateway.position(buffer -> new QueryCommandWriter().position(buffer, request)),
                  messageBytesMax,
                  "allow longer messages",
                  result -> Responses.position(result, response),
                  response::build,
                  reply)
              .next();
        });
  }

  /** Starts a read once the log has reached the position that its caller asks for. */
  private Call read(CallContext context, Reply<?> reply, Supplier<Call> read) {
    long position = MinPosition.of(context);
    return position == 0
        ? read.get()
        : new AwaitedRead(position, reply, read).start(gateway, MinPosition.patienceNs(context));
  }
}
