package io.entroq.perf.served;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Value;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.StreamRequests;
import io.entroq.codec.wire.edge.StreamResponses;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskID;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;
import java.util.UUID;

/** The methods that a cycle calls, and their requests. */
final class Messages {
  static final String SERVICE = "api.EntroQ";

  static final MethodDescriptor<ModifyRequest, ModifyResponse> MODIFY =
      method(
          MethodType.UNARY,
          SERVICE + "/Modify",
          ModifyRequest.getDefaultInstance(),
          ModifyResponse.getDefaultInstance());

  static final MethodDescriptor<ClaimRequest, ClaimResponse> TRY_CLAIM = claims("TryClaim");

  /** The claim that waits. */
  static final MethodDescriptor<ClaimRequest, ClaimResponse> CLAIM = claims("Claim");

  static final String STREAM_SERVICE = "entroq.v1.Stream";

  static final MethodDescriptor<StreamRequests, StreamResponses> STREAM =
      method(
          MethodType.BIDI_STREAMING,
          STREAM_SERVICE + "/Open",
          StreamRequests.getDefaultInstance(),
          StreamResponses.getDefaultInstance());

  private static final String CLAIMANT = UUID.randomUUID().toString();

  private Messages() {}

  private static MethodDescriptor<ClaimRequest, ClaimResponse> claims(String name) {
    return method(
        MethodType.UNARY,
        SERVICE + "/" + name,
        ClaimRequest.getDefaultInstance(),
        ClaimResponse.getDefaultInstance());
  }

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      MethodType type, String name, Q request, A answer) {
    return MethodDescriptor.newBuilder(
            ProtoUtils.marshaller(request), ProtoUtils.marshaller(answer))
        .setType(type)
        .setFullMethodName(name)
        .build();
  }

  /** A JSON text of this length. */
  static ByteString value(int length) {
    return Value.newBuilder().setStringValue("v".repeat(length)).build().toByteString();
  }

  static ModifyRequest insert(TaskData task, int count) {
    ModifyRequest.Builder request = ModifyRequest.newBuilder().setClaimantId(CLAIMANT);
    for (int i = 0; i < count; i++) {
      request.addInserts(task);
    }
    return request.build();
  }

  static ClaimRequest claim(String queue, int limit, long leaseMs) {
    return ClaimRequest.newBuilder()
        .setClaimantId(CLAIMANT)
        .addQueues(queue)
        .setDurationMs(leaseMs)
        .setLimit(limit)
        .build();
  }

  static ModifyRequest delete(ClaimResponse claimed) {
    ModifyRequest.Builder request = ModifyRequest.newBuilder().setClaimantId(CLAIMANT);
    request.addDeletes(ref(claimed.getTask()));
    for (Task task : claimed.getMoreList()) {
      request.addDeletes(ref(task));
    }
    return request.build();
  }

  private static TaskID ref(Task task) {
    return TaskID.newBuilder()
        .setId(task.getId())
        .setVersion(task.getVersion())
        .setQueue(task.getQueue())
        .build();
  }
}
