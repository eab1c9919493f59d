package io.entroq.service.call;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.CancelClaimResponse;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimDocsResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DeadLettersRequest;
import io.entroq.codec.wire.edge.DeadLettersResponse;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.DocsResponse;
import io.entroq.codec.wire.edge.FailuresRequest;
import io.entroq.codec.wire.edge.FailuresResponse;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.ListPoliciesResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.NamespacesResponse;
import io.entroq.codec.wire.edge.OverviewRequest;
import io.entroq.codec.wire.edge.OverviewResponse;
import io.entroq.codec.wire.edge.PositionRequest;
import io.entroq.codec.wire.edge.PositionResponse;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.RangeRequest;
import io.entroq.codec.wire.edge.RatesRequest;
import io.entroq.codec.wire.edge.RatesResponse;
import io.entroq.codec.wire.edge.RedriveRequest;
import io.entroq.codec.wire.edge.RedriveResponse;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.codec.wire.edge.WaitersRequest;
import io.entroq.codec.wire.edge.WaitersResponse;
import io.entroq.codec.wire.edge.WorkersRequest;
import io.entroq.codec.wire.edge.WorkersResponse;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A method of the API: its name, and the types of its requests and responses. Both APIs have the
 * same methods; the v0 API lacks some of them.
 *
 * @param <Q> the request
 * @param <S> the response, or one of several
 */
public final class Method<Q extends Message, S extends Message> {
  /** Claims tasks if any are available now. */
  public static final Method<ClaimRequest, ClaimResponse> TRY_CLAIM =
      method(0, "TryClaim", ClaimRequest.getDefaultInstance(), ClaimResponse.getDefaultInstance());

  /**
   * Claims tasks as soon as any are available. Gives them back if the call is canceled before its
   * response is {@linkplain Call#delivered delivered}.
   */
  public static final Method<ClaimRequest, ClaimResponse> CLAIM =
      method(1, "Claim", ClaimRequest.getDefaultInstance(), ClaimResponse.getDefaultInstance());

  /**
   * Ends a claim by its client id and number, and gives back what it claimed. Needs no other
   * permission: only the client knows both.
   */
  public static final Method<CancelClaimRequest, CancelClaimResponse> CANCEL_CLAIM =
      method(
          2,
          "CancelClaim",
          CancelClaimRequest.getDefaultInstance(),
          CancelClaimResponse.getDefaultInstance());

  /** Inserts, changes and deletes tasks and docs, atomically. */
  public static final Method<ModifyRequest, ModifyResponse> MODIFY =
      method(3, "Modify", ModifyRequest.getDefaultInstance(), ModifyResponse.getDefaultInstance());

  /** Lists tasks in one response. */
  public static final Method<TasksRequest, TasksResponse> TASKS =
      method(4, "Tasks", TasksRequest.getDefaultInstance(), TasksResponse.getDefaultInstance());

  /** Lists tasks, one in each response. */
  public static final Method<TasksRequest, TasksResponse> STREAM_TASKS =
      method(
          5, "StreamTasks", TasksRequest.getDefaultInstance(), TasksResponse.getDefaultInstance());

  /** Lists queues by name and size. */
  public static final Method<QueuesRequest, QueuesResponse> QUEUES =
      method(6, "Queues", QueuesRequest.getDefaultInstance(), QueuesResponse.getDefaultInstance());

  /** Lists queues with their statistics. */
  public static final Method<QueuesRequest, QueuesResponse> QUEUE_STATS =
      method(
          7, "QueueStats", QueuesRequest.getDefaultInstance(), QueuesResponse.getDefaultInstance());

  /** Returns the time and the server's features. */
  public static final Method<TimeRequest, TimeResponse> TIME =
      method(8, "Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance());

  /** Lists docs. */
  public static final Method<DocsRequest, DocsResponse> DOCS =
      method(9, "Docs", DocsRequest.getDefaultInstance(), DocsResponse.getDefaultInstance());

  /** Claims all docs of a key, unless another claimant holds one of them. */
  public static final Method<ClaimDocsRequest, ClaimDocsResponse> CLAIM_DOCS =
      method(
          10,
          "ClaimDocs",
          ClaimDocsRequest.getDefaultInstance(),
          ClaimDocsResponse.getDefaultInstance());

  /** Lists namespaces with their statistics. */
  public static final Method<NamespacesRequest, NamespacesResponse> NAMESPACE_STATS =
      method(
          11,
          "NamespaceStats",
          NamespacesRequest.getDefaultInstance(),
          NamespacesResponse.getDefaultInstance());

  /** Lists policies, limiters and pauses. Of the service Queues, which the v0 API lacks. */
  public static final Method<ListPoliciesRequest, ListPoliciesResponse> LIST_POLICIES =
      method(
          12,
          "ListPolicies",
          ListPoliciesRequest.getDefaultInstance(),
          ListPoliciesResponse.getDefaultInstance());

  /** Tells where a task stands in its queue. Of the service Queues. */
  public static final Method<PositionRequest, PositionResponse> POSITION =
      method(
          13,
          "Position",
          PositionRequest.getDefaultInstance(),
          PositionResponse.getDefaultInstance());

  /** Moves tasks back from a dead queue, with several other calls. Of the service Queues. */
  public static final Method<RedriveRequest, RedriveResponse> REDRIVE =
      method(
          14, "Redrive", RedriveRequest.getDefaultInstance(), RedriveResponse.getDefaultInstance());

  /** Sends what happens, in several responses. Of the service Feed. */
  public static final Method<TailRequest, TailResponse> TAIL =
      method(15, "Tail", TailRequest.getDefaultInstance(), TailResponse.getDefaultInstance());

  /** Tells what a feed can show. Of the service Feed. */
  public static final Method<RangeRequest, FeedRange> RANGE =
      method(16, "Range", RangeRequest.getDefaultInstance(), FeedRange.getDefaultInstance());

  /** Sums over all queues, and what is wrong. Of the service Insight. */
  public static final Method<OverviewRequest, OverviewResponse> OVERVIEW =
      method(
          17,
          "Overview",
          OverviewRequest.getDefaultInstance(),
          OverviewResponse.getDefaultInstance());

  /** Searches queues by name and sorts them. Of the service Insight. */
  public static final Method<SearchQueuesRequest, SearchQueuesResponse> SEARCH_QUEUES =
      method(
          18,
          "SearchQueues",
          SearchQueuesRequest.getDefaultInstance(),
          SearchQueuesResponse.getDefaultInstance());

  /** Tells what happened to tasks over time. Of the service Insight. */
  public static final Method<RatesRequest, RatesResponse> RATES =
      method(19, "Rates", RatesRequest.getDefaultInstance(), RatesResponse.getDefaultInstance());

  /** Lists the newest failures. Of the service Insight. */
  public static final Method<FailuresRequest, FailuresResponse> FAILURES =
      method(
          20,
          "Failures",
          FailuresRequest.getDefaultInstance(),
          FailuresResponse.getDefaultInstance());

  /** Lists claimants and what they hold. Of the service Insight. */
  public static final Method<WorkersRequest, WorkersResponse> WORKERS =
      method(
          21, "Workers", WorkersRequest.getDefaultInstance(), WorkersResponse.getDefaultInstance());

  /** Groups the tasks of dead queues. Of the service Insight. */
  public static final Method<DeadLettersRequest, DeadLettersResponse> DEAD_LETTERS =
      method(
          22,
          "DeadLetters",
          DeadLettersRequest.getDefaultInstance(),
          DeadLettersResponse.getDefaultInstance());

  /** Lists claims that wait at this server. Of the service Insight. */
  public static final Method<WaitersRequest, WaitersResponse> WAITERS =
      method(
          23, "Waiters", WaitersRequest.getDefaultInstance(), WaitersResponse.getDefaultInstance());

  /** All methods, each at its {@link #index}. */
  public static final List<Method<?, ?>> ALL =
      List.of(
          TRY_CLAIM,
          CLAIM,
          CANCEL_CLAIM,
          MODIFY,
          TASKS,
          STREAM_TASKS,
          QUEUES,
          QUEUE_STATS,
          TIME,
          DOCS,
          CLAIM_DOCS,
          NAMESPACE_STATS,
          LIST_POLICIES,
          POSITION,
          REDRIVE,
          TAIL,
          RANGE,
          OVERVIEW,
          SEARCH_QUEUES,
          RATES,
          FAILURES,
          WORKERS,
          DEAD_LETTERS,
          WAITERS);

  /** Those whose answer follows from a state. */
  private static final Set<Method<?, ?>> READ_STATE =
      Set.of(
          TASKS,
          STREAM_TASKS,
          QUEUES,
          QUEUE_STATS,
          TIME,
          DOCS,
          NAMESPACE_STATS,
          LIST_POLICIES,
          POSITION,
          OVERVIEW,
          SEARCH_QUEUES,
          RATES,
          FAILURES,
          WORKERS,
          DEAD_LETTERS);

  private final int index;
  private final String name;
  private final String label;
  private final Q request;
  private final S response;

  private Method(int index, String name, Q request, S response) {
    this.index = index;
    this.name = name;
    this.label = label(name);
    this.request = request;
    this.response = response;
  }

  private static <Q extends Message, S extends Message> Method<Q, S> method(
      int index, String name, Q request, S response) {
    return new Method<>(index, name, request, response);
  }

  private static String label(String name) {
    return name.replaceAll("(?<!^)(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }

  /**
   * The method with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Method<?, ?> named(String name) {
    return ALL.stream()
        .filter(method -> method.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such method: " + name));
  }

  /** Its index in {@link #ALL}. */
  public int index() {
    return index;
  }

  /** Its name in the API's schema, such as {@code TryClaim}. */
  public String name() {
    return name;
  }

  /** How messages of refusals begin, such as {@code try claim}. */
  public String label() {
    return label;
  }

  /** Whether it has several responses. */
  public boolean isStream() {
    return this == STREAM_TASKS || this == TAIL;
  }

  /**
   * Whether it only reads a state, and does not wait for another, so that it can be answered as of
   * any point.
   */
  public boolean readsState() {
    return READ_STATE.contains(this);
  }

  /** The empty response. */
  public S response() {
    return response;
  }

  /** Parses requests. */
  @SuppressWarnings("unchecked")
  public Parser<Q> requestParser() {
    return (Parser<Q>) request.getParserForType();
  }

  /** A builder of a {@code Q}. */
  public Message.Builder newRequest() {
    return request.newBuilderForType();
  }

  @Override
  public String toString() {
    return name;
  }
}
