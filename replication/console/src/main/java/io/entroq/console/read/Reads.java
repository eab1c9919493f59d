package io.entroq.console.read;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.ListPoliciesResponse;
import io.entroq.codec.wire.edge.OverviewRequest;
import io.entroq.codec.wire.edge.OverviewResponse;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.codec.wire.edge.QueueStats;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.RangeRequest;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.console.call.AsOf;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.call.ServiceCalls;
import io.entroq.console.user.User;
import io.entroq.service.call.Method;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

/** Asks the service for a page. Single-threaded; blocks until the page's time is up. */
public final class Reads {
  private static final long LEAST_NANOS = Duration.ofMillis(50).toNanos();

  private final ServiceCalls calls;
  private final User user;
  private final long endNanos;

  /** Null before somebody needs it. */
  private OverviewResponse overview;

  /** Of the last response; null before there is one, and for the present. */
  private volatile AsOf shown;

  /**
   * @param patience for everything that is asked here, from now
   */
  public Reads(ServiceCalls calls, User user, Duration patience) {
    this.calls = calls;
    this.user = user;
    this.endNanos = System.nanoTime() + patience.toNanos();
  }

  /**
   * Asks for one response.
   *
   * @throws CallFailedException if it is refused, or there is no answer in time
   */
  public <Q extends Message, S extends Message> S ask(Method<Q, S> method, Q request) {
    return answer(calls.call(user, method, request, left(), each -> shown = each));
  }

  /** What the last response of the past has shown; empty for the present. */
  public Optional<AsOf> shown() {
    return Optional.ofNullable(shown);
  }

  /** What is left of the page's time; enough for an answer from memory in any case. */
  private Duration left() {
    return Duration.ofNanos(Math.max(LEAST_NANOS, endNanos - System.nanoTime()));
  }

  /**
   * Waits for a call that ends in time by itself.
   *
   * @throws CallFailedException if it fails
   */
  public static <S> S answer(CompletableFuture<S> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      throw CallFailedException.cause(e) instanceof CallFailedException failed ? failed : e;
    }
  }

  /** All queues together: asked once, so that a page does not contradict itself. */
  public OverviewResponse overview() {
    if (overview == null) {
      overview = ask(Method.OVERVIEW, OverviewRequest.getDefaultInstance());
    }
    return overview;
  }

  /** The time of the log, in milliseconds since 1970. */
  public long timeMs() {
    return ask(Method.TIME, TimeRequest.getDefaultInstance()).getTimeMs();
  }

  /** A task with its value; empty if there is none of this id. */
  public Optional<Task> task(String id) {
    return id.isEmpty() ? Optional.empty() : tasks(List.of(id)).stream().findFirst();
  }

  private List<Task> tasks(List<String> ids) {
    return ask(Method.TASKS, TasksRequest.newBuilder().addAllTaskId(ids).setRawValues(true).build())
        .getTasksList();
  }

  /** Some tasks of a queue, without values. */
  public List<Task> sample(String queue, int limit) {
    return ask(
            Method.TASKS,
            TasksRequest.newBuilder().setQueue(queue).setLimit(limit).setOmitValues(true).build())
        .getTasksList();
  }

  /** The figures of queues; those that do not exist are left out. */
  public List<QueueStats> stats(Collection<String> names) {
    return names.isEmpty()
        ? List.of()
        : ask(Method.QUEUE_STATS, QueuesRequest.newBuilder().addAllMatchExact(names).build())
            .getQueuesList();
  }

  /** A policy, limiter or pause by its name. */
  public Optional<PolicyState> policy(PolicyKind kind, String name) {
    return ask(
            Method.LIST_POLICIES,
            ListPoliciesRequest.newBuilder().setKind(kind).setName(name).setLimit(1).build())
        .getPoliciesList()
        .stream()
        .findFirst();
  }

  /** Some policies of a kind. */
  public List<PolicyState> policies(PolicyKind kind, int limit) {
    return policies(kind, "", limit);
  }

  /** Some policies of a kind whose names begin with a text. */
  public List<PolicyState> policies(PolicyKind kind, String prefix, int limit) {
    ListPoliciesResponse response =
        ask(
            Method.LIST_POLICIES,
            ListPoliciesRequest.newBuilder()
                .setKind(kind)
                .setPrefix(prefix)
                .setLimit(limit)
                .build());
    return response.getPoliciesList();
  }

  /** What a feed can show. */
  public FeedRange range() {
    return ask(Method.RANGE, RangeRequest.getDefaultInstance());
  }

  /**
   * Reads effects until the end that the request names, and keeps the newest.
   *
   * @param max how many to keep
   * @throws CallFailedException if the feed is refused
   */
  public History history(TailRequest request, int max) {
    Deque<Effect> newest = new ArrayDeque<>();
    boolean[] isCut = new boolean[1];
    boolean isComplete =
        each(
            Method.TAIL,
            request,
            response -> {
              synchronized (newest) {
                newest.addAll(response.getEffectsList());
                while (newest.size() > max) {
                  newest.removeFirst();
                  isCut[0] = true;
                }
              }
              return true;
            });
    synchronized (newest) {
      return new History(List.copyOf(newest), isComplete, isCut[0]);
    }
  }

  /**
   * Reads the responses of a method with several, as long as there is time.
   *
   * @param each gets them, one at a time, on threads that must not be kept; returns whether to go
   *     on
   * @return whether all have come
   * @throws CallFailedException if it is refused
   */
  public <Q extends Message, S extends Message> boolean each(
      Method<Q, S> method, Q request, Predicate<S> each) {
    return answer(calls.stream(user, method, request, left(), each));
  }
}
