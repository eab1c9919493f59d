package io.entroq.service.authorization;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocClaim;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Handlers;
import io.entroq.service.call.Method;
import io.entroq.service.call.MinPosition;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Lets callers do what the authorizer allows. Everybody may ask for the time, and may end a claim
 * whose 16 random bytes and number they know: only its owner does.
 */
final class AuthorizedService extends ServiceFilter {
  private static final List<Permission> NONE = List.of();

  /** The headers that are read after the authorizer's decision, or for it. */
  private static final Set<String> HEADERS = Set.of(LoggedAuthorizer.HEADER, MinPosition.HEADER);

  private final LoggedAuthorizer gate;
  private final AuthorizationConfig config;
  private final Handlers handlers;
  private final AllowedModifies askedBefore = new AllowedModifies();

  AuthorizedService(Service next, LoggedAuthorizer gate, AuthorizationConfig config) {
    super(next);
    this.gate = gate;
    this.config = config;
    handlers =
        new Handlers()
            .on(Method.MODIFY, this::modify)
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
    Handlers.Handler<Q, S> handler = handlers.of(method);
    if (handler != null) {
      return handler.handle(context, request, reply);
    }
    Optional<Required> required = required(method, request);
    if (required.isEmpty()) {
      return next.handle(method, context, request, reply);
    }
    return ask(context, reply, required.get(), held -> next.handle(method, held, request, reply));
  }

  /** What a caller has to be allowed, other than for the methods that have handlers. */
  private Optional<Required> required(Method<?, ?> method, Message request) {
    if (request instanceof ClaimRequest claim) {
      return Optional.of(
          new Required(claim.getClaimantId(), RequiredPermissions.claim(claim), NONE));
    }
    if (request instanceof QueuesRequest queues && config.coversStats()) {
      return Optional.of(
          new Required(
              "",
              RequiredPermissions.look(queues.getMatchExactList(), queues.getMatchPrefixList()),
              NONE));
    }
    if (request instanceof NamespacesRequest namespaces && config.coversStats()) {
      return Optional.of(
          new Required(
              "",
              NONE,
              RequiredPermissions.look(
                  namespaces.getMatchExactList(), namespaces.getMatchPrefixList())));
    }
    if (request instanceof DocsRequest docs && config.coversDocs()) {
      return Optional.of(new Required("", NONE, doc(Action.READ, docs.getQuery().getNamespace())));
    }
    if (request instanceof ClaimDocsRequest claim && config.coversDocs()) {
      DocClaim query = claim.getClaimQuery();
      return Optional.of(
          new Required(query.getClaimant(), NONE, doc(Action.CLAIM, query.getNamespace())));
    }
    return Optional.empty();
  }

  private static List<Permission> doc(Action action, String namespace) {
    return List.of(Permission.of(action, namespace));
  }

  private Call modify(CallContext context, ModifyRequest request, Reply<ModifyResponse> reply) {
    AuthorizedCall guard = guard(context, reply);
    Reply<ModifyResponse> shown = new VisibleCollisions(guard, request.getClaimantId(), reply);
    guard.find(
        ModifyPlan.ids(request), places -> modify(guard, new ModifyPlan(places, request), shown));
    return guard.call();
  }

  /**
   * Authorizes a Modify. If it cannot succeed as it is, it may have been done before. Then its
   * response may go to a caller that might do it then.
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
              // Not any more. Where its tasks were then must not be revealed either.
              judge(guard, plan, reply);
            }
          });
    }
  }

  /**
   * Authorizes a Modify as it is now. After a denial, does so again without the tasks that the
   * caller must not know of.
   */
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
   * Runs an allowed Modify. One that cannot succeed is sent in a form that certainly fails. If it
   * may have been done before, it is answered as then, and not done again.
   */
  private Call modify(
      CallContext held, AuthorizedCall guard, ModifyPlan plan, Reply<ModifyResponse> reply) {
    ModifyRequest request = plan.request();
    if (plan.isCertain()) {
      if (plan.hasIdentity()) {
        askedBefore.add(request, plan.demands());
      }
      return next.handle(Method.MODIFY, held, request, reply);
    }
    if (!plan.hasIdentity()) {
      return next.handle(
          Method.MODIFY, held, plan.hopeless(), new ImpossibleModifyReply(request, reply));
    }
    ProbeReply probe =
        new ProbeReply(
            () ->
                guard.step(
                    later ->
                        next.handle(
                            Method.MODIFY,
                            later,
                            plan.hopeless(),
                            new ImpossibleModifyReply(request, reply))),
            () -> guard.step(later -> next.handle(Method.MODIFY, later, request, reply)),
            reply);
    return next.handle(Method.MODIFY, held, plan.probe(), probe);
  }

  private Call tasks(
      Method<TasksRequest, TasksResponse> method,
      CallContext context,
      TasksRequest request,
      Reply<TasksResponse> reply) {
    if (!request.getQueue().isEmpty()) {
      // It shows tasks of that queue and of no other, even if it has ids.
      return ask(
          context,
          reply,
          new Required(request.getClaimantId(), RequiredPermissions.list(request.getQueue()), NONE),
          held -> next.handle(method, held, request, reply));
    }
    AuthorizedCall guard = guard(context, reply);
    show(
        guard,
        request,
        (seen, places) ->
            guard.step(held -> next.handle(method, held, seen, new VisibleTasks(places, reply))),
        reply);
    return guard.call();
  }

  /**
   * Looks up the tasks of a listing by ids, and goes on with those that the caller may see, as if
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

  private AuthorizedCall guard(CallContext context, Reply<?> reply) {
    return new AuthorizedCall(next, gate, context.held(HEADERS), reply);
  }

  private Call ask(
      CallContext context, Reply<?> reply, Required required, Function<CallContext, Call> allowed) {
    AuthorizedCall guard = guard(context, reply);
    guard.ask(required.claimantId, required.queues, required.namespaces, allowed);
    return guard.call();
  }

  /**
   * What the caller of a request has to be allowed.
   *
   * @param claimantId in whose name; empty: not given
   * @param queues on queues
   * @param namespaces on namespaces of docs
   */
  private record Required(
      String claimantId, List<Permission> queues, List<Permission> namespaces) {}
}
