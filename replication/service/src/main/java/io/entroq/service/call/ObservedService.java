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
import java.util.function.Function;

/** Lets somebody watch what another service is asked, and what becomes of it. */
public final class ObservedService implements Service {
  private final Service service;
  private final CallObserver watcher;

  /** Before a service. */
  public ObservedService(Service service, CallObserver watcher) {
    this.service = service;
    this.watcher = watcher;
  }

  @Override
  public Facade facade() {
    return service.facade();
  }

  @Override
  public Call tryClaim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return watch(
        Method.TRY_CLAIM, context, reply, call -> service.tryClaim(context, request, call));
  }

  @Override
  public Call claim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return watch(Method.CLAIM, context, reply, call -> service.claim(context, request, call));
  }

  @Override
  public Call cancelClaim(
      CallContext context, CancelClaimRequest request, Reply<CancelClaimResponse> reply) {
    return watch(
        Method.CANCEL_CLAIM, context, reply, call -> service.cancelClaim(context, request, call));
  }

  @Override
  public Call modify(CallContext context, ModifyRequest request, Reply<ModifyResponse> reply) {
    return watch(Method.MODIFY, context, reply, call -> service.modify(context, request, call));
  }

  @Override
  public Call tasks(CallContext context, TasksRequest request, Reply<TasksResponse> reply) {
    return watch(Method.TASKS, context, reply, call -> service.tasks(context, request, call));
  }

  @Override
  public Call streamTasks(
      CallContext context, TasksRequest request, StreamReply<TasksResponse> reply) {
    ObservedStream<TasksResponse> call =
        new ObservedStream<>(watcher.begun(Method.STREAM_TASKS, context), reply);
    return call.begun(service.streamTasks(context, request, call));
  }

  @Override
  public Call queues(CallContext context, QueuesRequest request, Reply<QueuesResponse> reply) {
    return watch(Method.QUEUES, context, reply, call -> service.queues(context, request, call));
  }

  @Override
  public Call queueStats(CallContext context, QueuesRequest request, Reply<QueuesResponse> reply) {
    return watch(
        Method.QUEUE_STATS, context, reply, call -> service.queueStats(context, request, call));
  }

  @Override
  public Call time(CallContext context, Reply<TimeResponse> reply) {
    return watch(Method.TIME, context, reply, call -> service.time(context, call));
  }

  @Override
  public Call docs(CallContext context, DocsRequest request, Reply<DocsResponse> reply) {
    return watch(Method.DOCS, context, reply, call -> service.docs(context, request, call));
  }

  @Override
  public Call claimDocs(
      CallContext context, ClaimDocsRequest request, Reply<ClaimDocsResponse> reply) {
    return watch(
        Method.CLAIM_DOCS, context, reply, call -> service.claimDocs(context, request, call));
  }

  @Override
  public Call namespaceStats(
      CallContext context, NamespacesRequest request, Reply<NamespacesResponse> reply) {
    return watch(
        Method.NAMESPACE_STATS,
        context,
        reply,
        call -> service.namespaceStats(context, request, call));
  }

  private <S> Call watch(
      Method method, CallContext context, Reply<S> reply, Function<Reply<S>, Call> next) {
    ObservedCall<S> call = new ObservedCall<>(watcher.begun(method, context), reply);
    return call.begun(next.apply(call));
  }
}
