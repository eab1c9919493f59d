package io.entroq.service.grpc;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.codec.wire.published.v0.ClaimRequest;
import io.entroq.codec.wire.published.v0.ClaimResponse;
import io.entroq.codec.wire.published.v0.ModifyRequest;
import io.entroq.codec.wire.published.v0.ModifyResponse;
import io.entroq.codec.wire.published.v0.Task;
import io.entroq.codec.wire.published.v0.TaskData;
import io.entroq.codec.wire.published.v0.TaskID;
import io.entroq.codec.wire.published.v0.TasksRequest;
import io.entroq.codec.wire.published.v0.TasksResponse;

/** What tests ask over the v0 API. */
record V0(WireClient client) {
  static final String ANN = "a0000000-0000-4000-8000-00000000000a";
  static final String BOB = "b0000000-0000-4000-8000-00000000000b";

  ClaimResponse tryClaim(String claimant, String queue) {
    return client.call(
        "proto.EntroQ/TryClaim",
        claim(claimant, queue).build(),
        ClaimResponse.getDefaultInstance());
  }

  ListenableFuture<ClaimResponse> beginClaim(ClaimRequest.Builder request) {
    return client.begin("proto.EntroQ/Claim", request.build(), ClaimResponse.getDefaultInstance());
  }

  ModifyResponse modify(ModifyRequest.Builder request) {
    return client.call("proto.EntroQ/Modify", request.build(), ModifyResponse.getDefaultInstance());
  }

  Task insert(TaskData.Builder data) {
    return modify(by(ANN).addInserts(data)).getInserted(0);
  }

  Task task(String id) {
    return client
        .call(
            "proto.EntroQ/Tasks",
            TasksRequest.newBuilder().addTaskId(id).build(),
            TasksResponse.getDefaultInstance())
        .getTasks(0);
  }

  static ModifyRequest.Builder by(String claimant) {
    return ModifyRequest.newBuilder().setClaimantId(claimant);
  }

  static ClaimRequest.Builder claim(String claimant, String queue) {
    return ClaimRequest.newBuilder()
        .setClaimantId(claimant)
        .addQueues(queue)
        .setDurationMs(30_000)
        .setPollMs(30_000);
  }

  static TaskData.Builder data(String queue) {
    return TaskData.newBuilder().setQueue(queue).setAtMs(ServedQueue.GO_NO_TIME_MS);
  }

  static TaskID.Builder ref(Task task) {
    return TaskID.newBuilder()
        .setId(task.getId())
        .setVersion(task.getVersion())
        .setQueue(task.getQueue());
  }
}
