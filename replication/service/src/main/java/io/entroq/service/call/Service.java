package io.entroq.service.call;

import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.CancelClaimResponse;
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
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.service.translation.Facade;

/**
 * The methods of one API, whatever carries their requests and whatever stands before the engine.
 * Any thread; none blocks.
 *
 * <p>Each returns when the request is on its way. What is wrong with it comes by its {@link Reply},
 * as everything does. One service may stand before another, to look at requests or to hold them.
 */
public interface Service {
  /** Which API it is. */
  Facade facade();

  /** Takes tasks if there are any. */
  Call tryClaim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply);

  /**
   * Takes tasks as soon as there are any. If the call is not said to be delivered, and is
   * cancelled, they are given back.
   */
  Call claim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply);

  /**
   * Ends a claim by its number, and gives back what it was given. Whoever has the number is let in:
   * nobody else knows it.
   */
  Call cancelClaim(
      CallContext context, CancelClaimRequest request, Reply<CancelClaimResponse> reply);

  /** Inserts, changes and deletes, all of it or nothing. */
  Call modify(CallContext context, ModifyRequest request, Reply<ModifyResponse> reply);

  /** Lists tasks in one message. */
  Call tasks(CallContext context, TasksRequest request, Reply<TasksResponse> reply);

  /** Lists tasks, one in each message. */
  Call streamTasks(CallContext context, TasksRequest request, StreamReply<TasksResponse> reply);

  /** Lists queues by name and size. */
  Call queues(CallContext context, QueuesRequest request, Reply<QueuesResponse> reply);

  /** Lists queues and how they stand. */
  Call queueStats(CallContext context, QueuesRequest request, Reply<QueuesResponse> reply);

  /** Tells the time, and what else this server can do. */
  Call time(CallContext context, Reply<TimeResponse> reply);

  /** Lists docs. */
  Call docs(CallContext context, DocsRequest request, Reply<DocsResponse> reply);

  /** Takes all docs of a key, if nobody else has any of them. */
  Call claimDocs(CallContext context, ClaimDocsRequest request, Reply<ClaimDocsResponse> reply);

  /** Lists namespaces and how they stand. */
  Call namespaceStats(
      CallContext context, NamespacesRequest request, Reply<NamespacesResponse> reply);
}
