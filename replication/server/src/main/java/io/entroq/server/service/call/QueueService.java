package io.entroq.server.service.call;

import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Listing;
import io.entroq.server.service.edge.Answers;
import io.entroq.server.service.edge.ClaimWriting;
import io.entroq.server.service.edge.Facade;
import io.entroq.server.service.edge.Identities;
import io.entroq.server.service.edge.ModifyWriting;
import io.entroq.server.service.edge.QueryWriting;
import io.entroq.server.service.edge.Refusal;
import io.grpc.Status;
import java.util.List;

/**
 * The methods of one API over an engine. Any thread; none blocks.
 *
 * <p>Each returns when the request is on its way. What is wrong with it comes by its {@link Reply},
 * as everything does.
 */
public final class QueueService {
  private static final long FEATURE_IDENTITY = 1;
  private static final long FEATURE_LIMIT = 1 << 1;
  private static final long FEATURE_THEN_CLAIM = 1 << 2;

  private final Facade facade;
  private final Gateway gateway;
  private final BlockedClaims blocked;
  private final int messageBytesMax;
  private final Answers answers;

  /**
   * The methods of one API.
   *
   * @param blocked gets the claims that wait
   * @param messageBytesMax how long an answer may be that lists things
   */
  public QueueService(Facade facade, Gateway gateway, BlockedClaims blocked, int messageBytesMax) {
    this.facade = facade;
    this.gateway = gateway;
    this.blocked = blocked;
    this.messageBytesMax = messageBytesMax;
    this.answers = new Answers(facade);
  }

  /** Which API it is. */
  public Facade facade() {
    return facade;
  }

  /** Takes tasks if there are any. */
  public Call tryClaim(ClaimRequest request, Reply<ClaimResponse> reply) {
    return start(
        reply,
        () ->
            Call.of(
                gateway.claim(
                    request.getSerializedSize(),
                    buffer ->
                        ClaimWriting.ofThread()
                            .write(buffer, facade, request, Identities.of(facade, request), false),
                    new Answering<>(reply, answers::claimed))));
  }

  /**
   * Takes tasks as soon as there are any. If the call is not said to be delivered, and is
   * cancelled, they are given back.
   */
  public Call claim(ClaimRequest request, Reply<ClaimResponse> reply) {
    return start(reply, () -> new ClaimCall(blocked, reply).start(gateway, facade, request));
  }

  /** Inserts, changes and deletes, all of it or nothing. */
  public Call modify(ModifyRequest request, Reply<ModifyResponse> reply) {
    return start(
        reply,
        () ->
            Call.of(
                gateway.modify(
                    request.getSerializedSize(),
                    buffer ->
                        ModifyWriting.ofThread().write(buffer, facade, request, gateway.limits()),
                    new Answering<>(reply, result -> answers.modified(result, request)))));
  }

  /** Lists tasks in one message. */
  public Call tasks(TasksRequest request, Reply<TasksResponse> reply) {
    return start(
        reply,
        () -> {
          List<IdKey> ids = QueryWriting.ids(facade, request);
          if (isEmpty(request, ids)) {
            reply.send(TasksResponse.getDefaultInstance());
            return Call.done();
          }
          TasksResponse.Builder response = TasksResponse.newBuilder();
          return new ListingCall<>(
                  listing(request, ids),
                  messageBytesMax,
                  "ask for less with limit or omit_values, or use StreamTasks",
                  page -> answers.addTasks(page, response),
                  response::build,
                  reply)
              .next();
        });
  }

  /** Lists tasks, one in each message. */
  public Call streamTasks(TasksRequest request, StreamReply<TasksResponse> reply) {
    return start(
        reply,
        () -> {
          List<IdKey> ids = QueryWriting.ids(facade, request);
          if (isEmpty(request, ids)) {
            reply.complete();
            return Call.done();
          }
          return new TaskStream(facade, listing(request, ids), reply).start();
        });
  }

  /** Whether a listing has no tasks whatever there is: to ask for nothing is not to ask for all. */
  private static boolean isEmpty(TasksRequest request, List<IdKey> ids) {
    return ids.isEmpty() && (request.getTaskIdCount() > 0 || request.getQueue().isEmpty());
  }

  private Listing listing(TasksRequest request, List<IdKey> ids) {
    return gateway.tasks(buffer -> new QueryWriting().tasks(buffer, facade, request, ids));
  }

  /** Lists queues by name and size. */
  public Call queues(QueuesRequest request, Reply<QueuesResponse> reply) {
    return queues(request, true, reply);
  }

  /** Lists queues and how they stand. */
  public Call queueStats(QueuesRequest request, Reply<QueuesResponse> reply) {
    return queues(request, false, reply);
  }

  private Call queues(QueuesRequest request, boolean omitStats, Reply<QueuesResponse> reply) {
    return start(
        reply,
        () -> {
          QueuesResponse.Builder response = QueuesResponse.newBuilder();
          return new ListingCall<>(
                  gateway.queues(buffer -> new QueryWriting().queues(buffer, request, omitStats)),
                  messageBytesMax,
                  "ask for less with limit or by prefixes of names",
                  page -> answers.addQueues(page, omitStats, response),
                  response::build,
                  reply)
              .next();
        });
  }

  /** Tells the time, and what else this server can do. */
  public Call time(Reply<TimeResponse> reply) {
    return start(
        reply,
        () ->
            Call.of(
                gateway.time(
                    new Answering<>(
                        reply,
                        result ->
                            TimeResponse.newBuilder()
                                .setTimeMs(result.logTimeMs())
                                .setFeatures(features())
                                .build()))));
  }

  private long features() {
    return facade == Facade.V0 ? 0 : FEATURE_IDENTITY | FEATURE_LIMIT | FEATURE_THEN_CLAIM;
  }

  /** What there is in the API and not in this server. */
  public Call unimplemented(String method, Reply<?> reply) {
    reply.fail(new Refusal(Status.Code.UNIMPLEMENTED, method + ": this server has no docs"));
    return Call.done();
  }

  private static Call start(Reply<?> reply, Start start) {
    try {
      return start.call();
    } catch (RuntimeException e) {
      reply.fail(Answering.refusal(e));
      return Call.done();
    }
  }

  @FunctionalInterface
  private interface Start {
    Call call();
  }
}
