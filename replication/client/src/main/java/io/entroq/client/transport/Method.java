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
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.NamespacesResponse;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.codec.wire.published.admin.BackupRequest;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.codec.wire.published.admin.LevelRequest;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.RaiseLevelRequest;
import io.entroq.codec.wire.published.admin.RaiseLevelResponse;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;

/**
 * A method of the v1 API, of which the v0 API has some too; or of the service for operators.
 *
 * @param <Q> its request
 * @param <A> its answer
 */
public final class Method<Q extends Message, A extends Message> {
  private static final String ADMIN = "entroq.v1.Admin";

  /** Claims without waiting. */
  public static final Method<ClaimRequest, ClaimResponse> TRY_CLAIM =
      unary("TryClaim", ClaimRequest.getDefaultInstance(), ClaimResponse.getDefaultInstance());

  /** Claims as soon as there is something. */
  public static final Method<ClaimRequest, ClaimResponse> CLAIM =
      unary("Claim", ClaimRequest.getDefaultInstance(), ClaimResponse.getDefaultInstance());

  /** Ends a claim by its number. */
  public static final Method<CancelClaimRequest, CancelClaimResponse> CANCEL_CLAIM =
      unary(
          "CancelClaim",
          CancelClaimRequest.getDefaultInstance(),
          CancelClaimResponse.getDefaultInstance());

  /** Inserts, changes and deletes. */
  public static final Method<ModifyRequest, ModifyResponse> MODIFY =
      unary("Modify", ModifyRequest.getDefaultInstance(), ModifyResponse.getDefaultInstance());

  /** Lists tasks in one message. */
  public static final Method<TasksRequest, TasksResponse> TASKS =
      read("Tasks", TasksRequest.getDefaultInstance(), TasksResponse.getDefaultInstance());

  /** Lists queues by name and size. */
  public static final Method<QueuesRequest, QueuesResponse> QUEUES =
      read("Queues", QueuesRequest.getDefaultInstance(), QueuesResponse.getDefaultInstance());

  /** Lists queues and how they stand. */
  public static final Method<QueuesRequest, QueuesResponse> QUEUE_STATS =
      read("QueueStats", QueuesRequest.getDefaultInstance(), QueuesResponse.getDefaultInstance());

  /** Tells the time and what the server can do. */
  public static final Method<TimeRequest, TimeResponse> TIME =
      unary("Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance());

  /** Lists docs. */
  public static final Method<DocsRequest, DocsResponse> DOCS =
      read("Docs", DocsRequest.getDefaultInstance(), DocsResponse.getDefaultInstance());

  /** Claims all docs of a key. */
  public static final Method<ClaimDocsRequest, ClaimDocsResponse> CLAIM_DOCS =
      unary(
          "ClaimDocs",
          ClaimDocsRequest.getDefaultInstance(),
          ClaimDocsResponse.getDefaultInstance());

  /** Lists namespaces and how they stand. */
  public static final Method<NamespacesRequest, NamespacesResponse> NAMESPACE_STATS =
      read(
          "NamespaceStats",
          NamespacesRequest.getDefaultInstance(),
          NamespacesResponse.getDefaultInstance());

  /** Tells an operator what a member is at. */
  public static final Method<StatusRequest, StatusResponse> STATUS =
      admin("Status", StatusRequest.getDefaultInstance(), StatusResponse.getDefaultInstance());

  /** Asks for a snapshot. */
  public static final Method<TakeSnapshotRequest, TakeSnapshotResponse> TAKE_SNAPSHOT =
      admin(
          "TakeSnapshot",
          TakeSnapshotRequest.getDefaultInstance(),
          TakeSnapshotResponse.getDefaultInstance());

  /** Tells an operator the behaviour level. */
  public static final Method<LevelRequest, LevelResponse> LEVEL =
      admin("Level", LevelRequest.getDefaultInstance(), LevelResponse.getDefaultInstance());

  /** Raises the behaviour level. */
  public static final Method<RaiseLevelRequest, RaiseLevelResponse> RAISE_LEVEL =
      admin(
          "RaiseLevel",
          RaiseLevelRequest.getDefaultInstance(),
          RaiseLevelResponse.getDefaultInstance());

  /** Lists tasks, a message for each. */
  static final MethodDescriptor<TasksRequest, TasksResponse> STREAM_TASKS =
      descriptor(
          "StreamTasks",
          MethodType.SERVER_STREAMING,
          TasksRequest.getDefaultInstance(),
          TasksResponse.getDefaultInstance());

  /** Sends a backup, in pieces. */
  static final MethodDescriptor<BackupRequest, BackupResponse> BACKUP =
      descriptor(
          ADMIN,
          "Backup",
          MethodType.SERVER_STREAMING,
          BackupRequest.getDefaultInstance(),
          BackupResponse.getDefaultInstance());

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

  /** An answer of it; null if a message is none. */
  @SuppressWarnings("unchecked")
  A answer(Message message) {
    return emptyAnswer.getClass().isInstance(message) ? (A) message : null;
  }

  /** Whether it tells what there is, and so has to see what its caller has seen. */
  boolean isRead() {
    return isRead;
  }

  /** As gRPC knows it. */
  MethodDescriptor<Q, A> descriptor() {
    return descriptor;
  }

  @Override
  public String toString() {
    return descriptor.getBareMethodName();
  }
}
