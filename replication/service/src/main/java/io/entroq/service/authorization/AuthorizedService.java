package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimDocsResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DocQuery;
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
import io.entroq.service.call.MinPosition;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.StreamReply;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Lets through to another service what its callers may do. Everybody may ask for the time, and end
 * a claim: who knows its 16 random bytes and its number has made it.
 */
final class AuthorizedService extends ForwardingService {
  private static final List<Permission> NONE = List.of();

  /** What is read of a request after the authorizer has been asked, or by it. */
  private static final Set<String> HEADERS = Set.of(LoggedAuthorizer.HEADER, MinPosition.HEADER);

  private final Service service;
  private final LoggedAuthorizer gate;
  private final AuthorizationConfig config;
  private final AllowedModifies askedBefore = new AllowedModifies();

  AuthorizedService(Service service, LoggedAuthorizer gate, AuthorizationConfig config) {
    super(service);
    this.service = service;
    this.gate = gate;
    this.config = config;
  }

  @Override
  public Call tryClaim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return ask(
        guard(context, reply),
        request.getClaimantId(),
        RequiredPermissions.claim(request),
        held -> service.tryClaim(held, request, reply));
  }

  @Override
  public Call claim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return ask(
        guard(context, reply),
        request.getClaimantId(),
        RequiredPermissions.claim(request),
        held -> service.claim(held, request, reply));
  }

  @Override
  public Call modify(CallContext context, ModifyRequest request, Reply<ModifyResponse> reply) {
    AuthorizedCall guard = guard(context, reply);
    Reply<ModifyResponse> shown = new VisibleCollisions(guard, request.getClaimantId(), reply);
    guard.find(
        ModifyPlan.ids(request), places -> modify(guard, new ModifyPlan(places, request), shown));
    return guard.call();
  }

  /**
   * Asks about a Modify. One that cannot be done as it is does nothing new in any case; if it has
   * been done before, it may be answered to whoever might do it then.
   */
  private void modify(AuthorizedCall guard, ModifyPlan plan, Reply<ModifyResponse> reply) {
    Optional<List<Permission>> before =
        plan.isCertain() || !plan.hasIdentity()
            ? Optional.empty()
            : askedBefore.find(plan.request());
    if (before.isEmpty()) {
      judge(guard, plan, reply);
    } else {
      decide(
          guard,
          plan,
          before.get(),
          verdict -> {
            if (verdict.isAllowed()) {
              guard.step(held -> modify(held, guard, plan, reply));
            } else {
              // Not any more. Where its tasks were then is not to be told either.
              judge(guard, plan, reply);
            }
          });
    }
  }

  /** Asks about a Modify as it is now, and again without the tasks that are not to be known of. */
  private void judge(AuthorizedCall guard, ModifyPlan plan, Reply<ModifyResponse> reply) {
    decide(
        guard,
        plan,
        plan.demands(),
        verdict -> {
          if (verdict.isAllowed()) {
            guard.step(held -> modify(held, guard, plan, reply));
            return;
          }
          Optional<ModifyPlan> seen =
              verdict.isFailure() ? Optional.empty() : plan.without(verdict);
          seen.ifPresentOrElse(
              next -> judge(guard, next, reply), () -> reply.fail(verdict.refusal().orElseThrow()));
        });
  }

  private void decide(
      AuthorizedCall guard, ModifyPlan plan, List<Permission> queues, Consumer<Decision> then) {
    ModifyRequest request = plan.request();
    guard.decide(
        request.getClaimantId(),
        queues,
        config.coversDocs() ? RequiredPermissions.docs(request) : NONE,
        then);
  }

  /**
   * Does what was allowed. What cannot be done fails without being tried, but for a Modify that may
   * have been done before: it is answered as then, without being done again.
   */
  private Call modify(
      CallContext held, AuthorizedCall guard, ModifyPlan plan, Reply<ModifyResponse> reply) {
    ModifyRequest request = plan.request();
    if (plan.isCertain()) {
      if (plan.hasIdentity()) {
        askedBefore.add(request, plan.demands());
      }
      return service.modify(held, request, reply);
    }
    if (!plan.hasIdentity()) {
      return service.modify(held, plan.hopeless(), new ImpossibleModifyReply(request, reply));
    }
    ProbeReply probe =
        new ProbeReply(
            () ->
                guard.step(
                    later ->
                        service.modify(
                            later, plan.hopeless(), new ImpossibleModifyReply(request, reply))),
            () -> guard.step(later -> service.modify(later, request, reply)),
            reply);
    return service.modify(held, plan.probe(), probe);
  }

  @Override
  public Call tasks(CallContext context, TasksRequest request, Reply<TasksResponse> reply) {
    AuthorizedCall guard = guard(context, reply);
    if (isOfQueue(request)) {
      return ask(
          guard,
          request.getClaimantId(),
          RequiredPermissions.list(request.getQueue()),
          held -> service.tasks(held, request, reply));
    }
    show(
        guard,
        request,
        (seen, places) ->
            guard.step(held -> service.tasks(held, seen, new VisibleTasks(places, reply))),
        reply);
    return guard.call();
  }

  @Override
  public Call streamTasks(
      CallContext context, TasksRequest request, StreamReply<TasksResponse> reply) {
    AuthorizedCall guard = guard(context, reply);
    if (isOfQueue(request)) {
      return ask(
          guard,
          request.getClaimantId(),
          RequiredPermissions.list(request.getQueue()),
          held -> service.streamTasks(held, request, reply));
    }
    show(
        guard,
        request,
        (seen, places) ->
            guard.step(
                held -> service.streamTasks(held, seen, new VisibleTaskStream(places, reply))),
        reply);
    return guard.call();
  }

  /**
   * Looks for the tasks of a listing by ids, and goes on with those that its caller may see, as if
   * there were no others.
   *
   * @param then gets the request without the ids of others
   */
  private static void show(
      AuthorizedCall guard,
      TasksRequest request,
      BiConsumer<TasksRequest, TaskLocations> then,
      Reply<?> reply) {
    guard.find(
        request.getTaskIdList(),
        found ->
            new VisibilityCheck(guard, request.getClaimantId())
                .look(
                    found,
                    seen -> {
                      TasksRequest.Builder shown = request.toBuilder().clearTaskId();
                      request.getTaskIdList().stream()
                          .filter(id -> found.find(id).equals(seen.find(id)))
                          .forEach(shown::addTaskId);
                      then.accept(shown.build(), seen);
                    },
                    reply::fail));
  }

  /** Whether a listing shows tasks of one queue and of no other, also if it has ids. */
  private static boolean isOfQueue(TasksRequest request) {
    return !request.getQueue().isEmpty();
  }

  @Override
  public Call queues(CallContext context, QueuesRequest request, Reply<QueuesResponse> reply) {
    return look(context, request, reply, held -> service.queues(held, request, reply));
  }

  @Override
  public Call queueStats(CallContext context, QueuesRequest request, Reply<QueuesResponse> reply) {
    return look(context, request, reply, held -> service.queueStats(held, request, reply));
  }

  private Call look(
      CallContext context,
      QueuesRequest request,
      Reply<QueuesResponse> reply,
      Function<CallContext, Call> next) {
    if (!config.coversStats()) {
      return next.apply(context);
    }
    List<Permission> demands =
        RequiredPermissions.look(request.getMatchExactList(), request.getMatchPrefixList());
    return ask(guard(context, reply), "", demands, next);
  }

  @Override
  public Call docs(CallContext context, DocsRequest request, Reply<DocsResponse> reply) {
    DocQuery query = request.getQuery();
    return onDocs(
        context,
        reply,
        "",
        List.of(Permission.of(Action.READ, query.getNamespace())),
        config.coversDocs(),
        held -> service.docs(held, request, reply));
  }

  @Override
  public Call claimDocs(
      CallContext context, ClaimDocsRequest request, Reply<ClaimDocsResponse> reply) {
    return onDocs(
        context,
        reply,
        request.getClaimQuery().getClaimant(),
        List.of(Permission.of(Action.CLAIM, request.getClaimQuery().getNamespace())),
        config.coversDocs(),
        held -> service.claimDocs(held, request, reply));
  }

  @Override
  public Call namespaceStats(
      CallContext context, NamespacesRequest request, Reply<NamespacesResponse> reply) {
    return onDocs(
        context,
        reply,
        "",
        RequiredPermissions.look(request.getMatchExactList(), request.getMatchPrefixList()),
        config.coversStats(),
        held -> service.namespaceStats(held, request, reply));
  }

  private AuthorizedCall guard(CallContext context, Reply<?> reply) {
    return new AuthorizedCall(service, gate, context.held(HEADERS), reply);
  }

  private static Call ask(
      AuthorizedCall guard,
      String claimantId,
      List<Permission> queues,
      Function<CallContext, Call> next) {
    guard.ask(claimantId, queues, NONE, next);
    return guard.call();
  }

  private Call onDocs(
      CallContext context,
      Reply<?> reply,
      String claimantId,
      List<Permission> namespaces,
      boolean isCovered,
      Function<CallContext, Call> next) {
    if (!isCovered) {
      return next.apply(context);
    }
    AuthorizedCall guard = guard(context, reply);
    guard.ask(claimantId, NONE, namespaces, next);
    return guard.call();
  }
}
