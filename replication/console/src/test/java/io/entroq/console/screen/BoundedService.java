package io.entroq.console.screen;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.translation.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notices calls of pages that list more than a page shows, and calls that write. */
final class BoundedService extends ServiceFilter {
  private static final int TASKS_MAX = 100;
  private static final int NAMES_MAX = 100;
  private static final int POLICIES_MAX = 1_000;

  private final List<String> unbounded = new CopyOnWriteArrayList<>();
  private final Set<Method<?, ?>> stalled = ConcurrentHashMap.newKeySet();
  private final Set<Method<?, ?>> refused = ConcurrentHashMap.newKeySet();
  private final Map<Method<?, ?>, Runnable> before = new ConcurrentHashMap<>();
  private final List<Method<?, ?>> writes = new CopyOnWriteArrayList<>();

  BoundedService(Service next) {
    super(next);
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    boolean isJob = Thread.currentThread().getName().equals("entroq-console-job");
    if (!isJob && !isBounded(method, request)) {
      unbounded.add(method + ": " + request);
    }
    before.getOrDefault(method, () -> {}).run();
    if (refused.contains(method)) {
      reply.fail(Refusal.exhausted("on purpose"));
      return Call.done();
    }
    if (stalled.contains(method)) {
      return Call.done();
    }
    if (method == Method.MODIFY || method == Method.REDRIVE) {
      writes.add(method);
    }
    return next.handle(method, context, request, reply);
  }

  private static boolean isBounded(Method<?, ?> method, Message request) {
    if (request instanceof TasksRequest tasks) {
      boolean isLimited = tasks.getLimit() > 0 && tasks.getLimit() <= TASKS_MAX;
      boolean isByIds = tasks.getQueue().isEmpty() && tasks.getTaskIdCount() <= TASKS_MAX;
      return method == Method.TASKS && tasks.getClaimantId().isEmpty() && (isLimited || isByIds);
    }
    if (request instanceof QueuesRequest queues) {
      return queues.getMatchPrefixCount() == 0
          && queues.getMatchExactCount() > 0
          && queues.getMatchExactCount() <= NAMES_MAX;
    }
    if (request instanceof ListPoliciesRequest policies) {
      return policies.getLimit() > 0 && policies.getLimit() <= POLICIES_MAX;
    }
    return method != Method.DOCS && method != Method.NAMESPACE_STATS;
  }

  /** Does not answer later calls of a method. */
  void stall(Method<?, ?> method) {
    stalled.add(method);
  }

  /** Refuses later calls of a method. */
  void refuse(Method<?, ?> method) {
    refused.add(method);
  }

  /** Does something before each later call of a method. */
  void before(Method<?, ?> method, Runnable what) {
    before.put(method, what);
  }

  /** The calls that may change something, in order. */
  List<Method<?, ?>> writes() {
    return writes;
  }

  /** The calls that were not bounded. */
  List<String> unbounded() {
    return unbounded;
  }
}
