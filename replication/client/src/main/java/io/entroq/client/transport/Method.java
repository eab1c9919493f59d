package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.CancelClaimResponse;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimDocsResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.DocsResponse;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.ListPoliciesResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.NamespacesResponse;
import io.entroq.codec.wire.edge.PositionRequest;
import io.entroq.codec.wire.edge.PositionResponse;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.RangeRequest;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.codec.wire.published.admin.BackupRequest;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.codec.wire.published.admin.ImageRequest;
import io.entroq.codec.wire.published.admin.ImageResponse;
import io.entroq.codec.wire.published.admin.LevelRequest;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.RaiseLevelRequest;
import io.entroq.codec.wire.published.admin.RaiseLevelResponse;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.StopRequest;
import io.entroq.codec.wire.published.admin.StopResponse;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;

/**
 * A unary method of the v1 API or of the admin service.
 *
 * @param <Q> its request
 * @param <A> its response
 */
public final class Method<Q extends Message, A extends Message> {
  private static final String ADMIN = "entroq.v1.Admin";

  public static final Method<ClaimRequest, ClaimResponse> TRY_CLAIM =
      unary("TryClaim", ClaimRequest.getDefaultInstance(), ClaimResponse.getDefaultInstance());

  /** A claim that waits. */
  public static final Method<ClaimRequest, ClaimResponse> CLAIM =
      unary("Claim", ClaimRequest.getDefaultInstance(), ClaimResponse.getDefaultInstance());

  public static final Method<CancelClaimRequest, CancelClaimResponse> CANCEL_CLAIM =
      unary(
          "CancelClaim",
          CancelClaimRequest.getDefaultInstance(),
          CancelClaimResponse.getDefaultInstance());

  public static final Method<ModifyRequest, ModifyResponse> MODIFY =
      unary("Modify", ModifyRequest.getDefaultInstance(), ModifyResponse.getDefaultInstance());

  /** Lists tasks in one response. */
  public static final Method<TasksRequest, TasksResponse> TASKS =
      read("Tasks", TasksRequest.getDefaultInstance(), TasksResponse.getDefaultInstance());

  /** Names and sizes of queues. */
  public static final Method<QueuesRequest, QueuesResponse> QUEUES =
      read("Queues", QueuesRequest.getDefaultInstance(), QueuesResponse.getDefaultInstance());

  public static final Method<QueuesRequest, QueuesResponse> QUEUE_STATS =
      read("QueueStats", QueuesRequest.getDefaultInstance(), QueuesResponse.getDefaultInstance());

  /** What a server is, and what time it has. */
  public static final Method<TimeRequest, TimeResponse> TIME =
      unary("Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance());

  /** The time of the state that is read. */
  public static final Method<TimeRequest, TimeResponse> TIME_OF_STATE =
      read("Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance());

  public static final Method<DocsRequest, DocsResponse> DOCS =
      read("Docs", DocsRequest.getDefaultInstance(), DocsResponse.getDefaultInstance());

  /** Claims all docs with a key. */
  public static final Method<ClaimDocsRequest, ClaimDocsResponse> CLAIM_DOCS =
      unary(
          "ClaimDocs",
          ClaimDocsRequest.getDefaultInstance(),
          ClaimDocsResponse.getDefaultInstance());

  public static final Method<NamespacesRequest, NamespacesResponse> NAMESPACE_STATS =
      read(
          "NamespaceStats",
          NamespacesRequest.getDefaultInstance(),
          NamespacesResponse.getDefaultInstance());

  /** Lists policies. Of servers that have them. */
  public static final Method<ListPoliciesRequest, ListPoliciesResponse> LIST_POLICIES =
      new Method<>(
          descriptor(
              "entroq.v1.Queues",
              "ListPolicies",
              MethodType.UNARY,
              ListPoliciesRequest.getDefaultInstance(),
              ListPoliciesResponse.getDefaultInstance()),
          ListPoliciesResponse.getDefaultInstance(),
          true);

  /** Tells where a task stands in its queue. Of servers that have policies. */
  public static final Method<PositionRequest, PositionResponse> POSITION =
      new Method<>(
          descriptor(
              "entroq.v1.Queues",
              "Position",
              MethodType.UNARY,
              PositionRequest.getDefaultInstance(),
              PositionResponse.getDefaultInstance()),
          PositionResponse.getDefaultInstance(),
          true);

  /** Tells what a feed can show. Of servers that have one. */
  public static final Method<RangeRequest, FeedRange> RANGE =
      new Method<>(
          descriptor(
              "entroq.v1.Feed",
              "Range",
              MethodType.UNARY,
              RangeRequest.getDefaultInstance(),
              FeedRange.getDefaultInstance()),
          FeedRange.getDefaultInstance(),
          true);

  /** The status of a cluster member. */
  public static final Method<StatusRequest, StatusResponse> STATUS =
      admin("Status", StatusRequest.getDefaultInstance(), StatusResponse.getDefaultInstance());

  public static final Method<TakeSnapshotRequest, TakeSnapshotResponse> TAKE_SNAPSHOT =
      admin(
          "TakeSnapshot",
          TakeSnapshotRequest.getDefaultInstance(),
          TakeSnapshotResponse.getDefaultInstance());

  /** The behavior level. */
  public static final Method<LevelRequest, LevelResponse> LEVEL =
      admin("Level", LevelRequest.getDefaultInstance(), LevelResponse.getDefaultInstance());

  public static final Method<RaiseLevelRequest, RaiseLevelResponse> RAISE_LEVEL =
      admin(
          "RaiseLevel",
          RaiseLevelRequest.getDefaultInstance(),
          RaiseLevelResponse.getDefaultInstance());

  /** Stops all members of a cluster, to change them. */
  public static final Method<StopRequest, StopResponse> STOP =
      admin("Stop", StopRequest.getDefaultInstance(), StopResponse.getDefaultInstance());

  /** Lists tasks in many messages. */
  static final MethodDescriptor<TasksRequest, TasksResponse> STREAM_TASKS =
      descriptor(
          "StreamTasks",
          MethodType.SERVER_STREAMING,
          TasksRequest.getDefaultInstance(),
          TasksResponse.getDefaultInstance());

  /** Sends the effects of a feed. */
  static final MethodDescriptor<TailRequest, TailResponse> TAIL =
      descriptor(
          "entroq.v1.Feed",
          "Tail",
          MethodType.SERVER_STREAMING,
          TailRequest.getDefaultInstance(),
          TailResponse.getDefaultInstance());

  /** Sends a backup in pieces. */
  static final MethodDescriptor<BackupRequest, BackupResponse> BACKUP =
      descriptor(
          ADMIN,
          "Backup",
          MethodType.SERVER_STREAMING,
          BackupRequest.getDefaultInstance(),
          BackupResponse.getDefaultInstance());

  /** Sends the image of a snapshot in pieces. */
  static final MethodDescriptor<ImageRequest, ImageResponse> IMAGE =
      descriptor(
          ADMIN,
          "Image",
          MethodType.SERVER_STREAMING,
          ImageRequest.getDefaultInstance(),
          ImageResponse.getDefaultInstance());

  private final MethodDescriptor<Q, A> descriptor;
  private final A emptyAnswer;
  private final boolean isRead;

  private Method(MethodDescriptor<Q, A> descriptor, A emptyAnswer, boolean isRead) {
    this.descriptor = descriptor;
    this.emptyAnswer = emptyAnswer;
    this.isRead = isRead;
  }

  private static <Q extends Message, A extends Message> Method<Q, A> unary(
      String name, Q request, A answer) {
    return new Method<>(descriptor(name, MethodType.UNARY, request, answer), answer, false);
  }

  private static <Q extends Message, A extends Message> Method<Q, A> read(
      String name, Q request, A answer) {
    return new Method<>(descriptor(name, MethodType.UNARY, request, answer), answer, true);
  }

  private static <Q extends Message, A extends Message> Method<Q, A> admin(
      String name, Q request, A answer) {
    return new Method<>(descriptor(ADMIN, name, MethodType.UNARY, request, answer), answer, false);
  }

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> descriptor(
      String name, MethodType type, Q request, A answer) {
    return descriptor(Api.V1.service(), name, type, request, answer);
  }

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> descriptor(
      String service, String name, MethodType type, Q request, A answer) {
    return MethodDescriptor.newBuilder(
            ProtoUtils.marshaller(request), ProtoUtils.marshaller(answer))
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
        .build();
  }

  /** Casts a response of this method; null if the message is not one. */
  @SuppressWarnings("unchecked")
  A answer(Message message) {
    return emptyAnswer.getClass().isInstance(message) ? (A) message : null;
  }

  /** Whether the method reads the state, and so must see everything that its caller has seen. */
  boolean isRead() {
    return isRead;
  }

  MethodDescriptor<Q, A> descriptor() {
    return descriptor;
  }

  @Override
  public String toString() {
    return descriptor.getBareMethodName();
  }
}
