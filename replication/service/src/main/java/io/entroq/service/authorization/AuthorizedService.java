package io.entroq.service.authorization;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocClaim;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.PositionRequest;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.service.authorization.PermittedNames.Name;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Handlers;
import io.entroq.service.call.Method;
import io.entroq.service.call.MinPosition;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Authorizes calls. Time and Range need no permission, and neither does CancelClaim: only the owner
 * of a claim knows its client id and request number.
 */
final class AuthorizedService extends ServiceFilter {
  private static final List<Permission> NONE = List.of();

  /** The headers that are read after {@link #handle} has returned. */
  private static final Set<String> HEADERS = Set.of(AuthorizationQuery.HEADER, MinPosition.HEADER);

  private final LoggedAuthorizer authorizer;
  private final boolean coversStats;
  private final Handlers handlers;

  /**
   * @param coversStats whether listing names and statistics of queues and namespaces is authorized
   */
  AuthorizedService(Service next, LoggedAuthorizer authorizer, boolean coversStats) {
    super(next);
    this.authorizer = authorizer;
    this.coversStats = coversStats;
    handlers =
        new Handlers()
            .on(Method.MODIFY, this::modify)
            .on(Method.TAIL, this::tail)
            .on(
                Method.TASKS,
                (context, request, reply) -> tasks(Method.TASKS, context, request, reply))
            .on(
                Method.STREAM_TASKS,
                (context, request, reply) -> tasks(Method.STREAM_TASKS, context, request, reply));
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    // So that the answer to an invalid request does not depend on who asks.
    Optional<Refusal> invalid = next.check(method, context, request);
    if (invalid.isPresent()) {
      reply.fail(invalid.get());
      return Call.done();
    }
    Handlers.Handler<Q, S> handler = handlers.of(method);
    if (handler != null) {
      return handler.handle(context, request, reply);
    }
    Optional<Required> required = required(request);
    if (required.isEmpty()) {
      return next.handle(method, context, request, reply);
    }
    return authorize(
        context, reply, required.get(), held -> next.handle(method, held, request, reply));
  }

  /** The permissions that a method without a handler here needs. */
  private Optional<Required> required(Message request) {
    if (request instanceof ClaimRequest claim) {
      return Optional.of(
          new Required(claim.getClaimantId(), RequiredPermissions.claim(claim), NONE));
    }
    if (request instanceof QueuesRequest queues && coversStats) {
      return Optional.of(
          new Required(
              "",
              RequiredPermissions.listNames(
                  queues.getMatchExactList(), queues.getMatchPrefixList()),
              NONE));
    }
    if (request instanceof NamespacesRequest namespaces && coversStats) {
      return Optional.of(
          new Required(
              "",
              NONE,
              RequiredPermissions.listNames(
                  namespaces.getMatchExactList(), namespaces.getMatchPrefixList())));
    }
    if (request instanceof ListPoliciesRequest policies) {
      Permission permission =
          policies.getName().isEmpty()
              ? Permission.ofPrefix(Action.READ, policies.getPrefix())
              : Permission.of(Action.READ, policies.getName());
      return Optional.of(new Required("", List.of(permission), NONE));
    }
    if (request instanceof PositionRequest position) {
      Permission permission =
          position.getQueue().isEmpty()
              ? Permission.ofPrefix(Action.READ, "")
              : Permission.of(Action.READ, position.getQueue());
      return Optional.of(new Required("", List.of(permission), NONE));
    }
    if (request instanceof DocsRequest docs) {
      return Optional.of(
          new Required(
              "", NONE, List.of(Permission.of(Action.READ, docs.getQuery().getNamespace()))));
    }
    if (request instanceof ClaimDocsRequest claim) {
      DocClaim query = claim.getClaimQuery();
      return Optional.of(
          new Required(
              query.getClaimant(),
              RequiredPermissions.matchedTask(query),
              RequiredPermissions.claim(query)));
    }
    return RequiredPermissions.insight(request).map(queues -> new Required("", queues, NONE));
  }

  private Call modify(CallContext context, ModifyRequest request, Reply<ModifyResponse> reply) {
    AuthorizedCall authorized = authorized(context, reply);
    Reply<ModifyResponse> visible =
        new VisibleCollisions(authorized, request.getClaimantId(), reply);
    if (facade() == Facade.V1) {
      // The engine finds tasks only in the queues that the request names.
      authorized.require(
          request.getClaimantId(),
          RequiredPermissions.modify(request),
          RequiredPermissions.docs(request),
          held -> next.handle(Method.MODIFY, held, request, visible));
    } else {
      authorized.find(
          ModifyPlan.ids(request),
          locations -> authorize(authorized, new ModifyPlan(locations, request), visible));
    }
    return authorized.call();
  }

  /**
   * Authorizes a Modify of the v0 API for the current queues of its tasks. After a denial,
   * authorizes it again without the tasks that the caller must not know about.
   */
  private void authorize(AuthorizedCall authorized, ModifyPlan plan, Reply<ModifyResponse> reply) {
    authorized.decide(
        plan.request().getClaimantId(),
        plan.permissions(),
        NONE,
        decision -> {
          if (decision.isAllowed()) {
            authorized.step(held -> modify(held, plan, reply));
            return;
          }
          Optional<ModifyPlan> visible =
              decision.isFailure() ? Optional.empty() : plan.without(decision);
          visible.ifPresentOrElse(
              next -> authorize(authorized, next, reply),
              () -> reply.fail(decision.refusal().orElseThrow()));
        });
  }

  /** Runs an allowed Modify. One that cannot succeed is sent in a form that always fails. */
  private Call modify(CallContext held, ModifyPlan plan, Reply<ModifyResponse> reply) {
    return plan.isCertain()
        ? next.handle(Method.MODIFY, held, plan.request(), reply)
        : next.handle(
            Method.MODIFY,
            held,
            plan.impossible(),
            new ImpossibleModifyReply(plan.request(), reply));
  }

  private Call tasks(
      Method<TasksRequest, TasksResponse> method,
      CallContext context,
      TasksRequest request,
      Reply<TasksResponse> reply) {
    if (!request.getQueue().isEmpty()) {
      // Lists tasks of that queue only, even if the request has ids.
      return authorize(
          context,
          reply,
          new Required(request.getClaimantId(), RequiredPermissions.list(request.getQueue()), NONE),
          held -> next.handle(method, held, request, reply));
    }
    AuthorizedCall authorized = authorized(context, reply);
    findVisible(
        authorized,
        request,
        (visible, locations) ->
            authorized.step(
                held -> next.handle(method, held, visible, new VisibleTasks(locations, reply))),
        reply);
    return authorized.call();
  }

  /**
   * Looks up the tasks of a listing by ids, and continues as if only those that the caller may see
   * existed.
   *
   * @param then gets the request with only the visible ids
   */
  private static void findVisible(
      AuthorizedCall authorized,
      TasksRequest request,
      BiConsumer<TasksRequest, TaskLocations> then,
      Reply<?> reply) {
    authorized.find(
        request.getTaskIdList(),
        found ->
            authorized.findVisible(
                request.getClaimantId(),
                found,
                seen -> {
                  TasksRequest.Builder visible = request.toBuilder().clearTaskId();
                  request.getTaskIdList().stream()
                      .filter(id -> found.find(id).equals(seen.find(id)))
                      .forEach(visible::addTaskId);
                  then.accept(visible.build(), seen);
                },
                reply::fail));
  }

  /** A caller that may not read all of what it asks for sees what it may. */
  private Call tail(CallContext context, TailRequest request, Reply<TailResponse> reply) {
    AuthorizedCall authorized = authorized(context, reply);
    List<Name> all = RequiredPermissions.tail(request);
    List<Name> named = all.stream().filter(name -> !name.permission().isPrefix()).toList();
    authorized.decide(
        "",
        Name.permissions(all, false),
        Name.permissions(all, true),
        decision -> {
          if (decision.isAllowed()) {
            authorized.step(held -> tail(authorized, held, request, all, reply));
          } else if (decision.isFailure() || named.size() == all.size()) {
            reply.fail(decision.refusal().orElseThrow());
          } else if (named.isEmpty()) {
            authorized.step(held -> tail(authorized, held, request, List.of(), reply));
          } else {
            authorized.require(
                "",
                Name.permissions(named, false),
                Name.permissions(named, true),
                held -> tail(authorized, held, request, List.of(), reply));
          }
        });
    return authorized.call();
  }

  /**
   * Opens a feed.
   *
   * @param whole what was permitted as a whole; empty if each name is asked for
   */
  private Call tail(
      AuthorizedCall authorized,
      CallContext held,
      TailRequest request,
      List<Name> whole,
      Reply<TailResponse> reply) {
    PermittedNames names = new PermittedNames(authorizer, held, System::nanoTime);
    names.learn(whole, true);
    return next.handle(
        Method.TAIL,
        held,
        request,
        new VisibleEffects(request, names, whole, authorized.call(), reply));
  }

  private AuthorizedCall authorized(CallContext context, Reply<?> reply) {
    return new AuthorizedCall(next, authorizer, context.held(HEADERS), reply);
  }

  private Call authorize(
      CallContext context, Reply<?> reply, Required required, Function<CallContext, Call> allowed) {
    AuthorizedCall authorized = authorized(context, reply);
    authorized.require(required.claimantId, required.queues, required.namespaces, allowed);
    return authorized.call();
  }

  /** The permissions that a request needs; the claimant's id is empty if not given. */
  private record Required(
      String claimantId, List<Permission> queues, List<Permission> namespaces) {}
}
