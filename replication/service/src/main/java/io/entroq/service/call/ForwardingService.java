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
 * Passes everything on to another service: for those that stand before it and look at some of it.
 * Any thread.
 */
public abstract class ForwardingService implements Service {
  private final Service service;

  /** In front of a service. */
  protected ForwardingService(Service service) {
    this.service = service;
  }

  @Override
  public Facade facade() {
    return service.facade();
  }

  @Override
  public Call tryClaim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return service.tryClaim(context, request, reply);
  }

  @Override
  public Call claim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return service.claim(context, request, reply);
  }

  @Override
  public Call cancelClaim(
      CallContext context, CancelClaimRequest request, Reply<CancelClaimResponse> reply) {
    return service.cancelClaim(context, request, reply);
  }

  @Override
  public Call modify(CallContext context, ModifyRequest request, Reply<ModifyResponse> reply) {
    return service.modify(context, request, reply);
  }

  @Override
  public Call tasks(CallContext context, TasksRequest request, Reply<TasksResponse> reply) {
    return service.tasks(context, request, reply);
  }

  @Override
  public Call streamTasks(
      CallContext context, TasksRequest request, StreamReply<TasksResponse> reply) {
    return service.streamTasks(context, request, reply);
  }

  @Override
  public Call queues(CallContext context, QueuesRequest request, Reply<QueuesResponse> reply) {
    return service.queues(context, request, reply);
  }

  @Override
  public Call queueStats(CallContext context, QueuesRequest request, Reply<QueuesResponse> reply) {
    return service.queueStats(context, request, reply);
  }

  @Override
  public Call time(CallContext context, Reply<TimeResponse> reply) {
    return service.time(context, reply);
  }

  @Override
  public Call docs(CallContext context, DocsRequest request, Reply<DocsResponse> reply) {
    return service.docs(context, request, reply);
  }

  @Override
  public Call claimDocs(
      CallContext context, ClaimDocsRequest request, Reply<ClaimDocsResponse> reply) {
    return service.claimDocs(context, request, reply);
  }

  @Override
  public Call namespaceStats(
      CallContext context, NamespacesRequest request, Reply<NamespacesResponse> reply) {
    return service.namespaceStats(context, request, reply);
  }
}
