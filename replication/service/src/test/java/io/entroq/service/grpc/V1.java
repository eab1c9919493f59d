package io.entroq.service.grpc;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.ModifyResponse;
import io.entroq.codec.wire.published.v1.QueueStats;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.QueuesResponse;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.codec.wire.published.v1.TaskData;
import io.entroq.codec.wire.published.v1.TaskID;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.codec.wire.published.v1.TasksResponse;
import java.util.List;

/** What tests ask over the v1 API. */
public record V1(WireClient client) {
  public ClaimResponse tryClaim(String claimant, String... queues) {
    return tryClaim(claim(claimant, queues).build());
  }

  public ClaimResponse tryClaim(ClaimRequest request) {
    return client.call("api.EntroQ/TryClaim", request, ClaimResponse.getDefaultInstance());
  }

  public ClaimResponse claim(ClaimRequest request) {
    return client.call("api.EntroQ/Claim", request, ClaimResponse.getDefaultInstance());
  }

  public ListenableFuture<ClaimResponse> beginClaim(ClaimRequest request) {
    return client.begin("api.EntroQ/Claim", request, ClaimResponse.getDefaultInstance());
  }

  public ModifyResponse modify(ModifyRequest.Builder request) {
    return client.call("api.EntroQ/Modify", request.build(), ModifyResponse.getDefaultInstance());
  }

  /** A task as a Go client would insert it, without a time. */
  public Task insert(String queue, String id) {
    return modify(
            ModifyRequest.newBuilder().setClaimantId("inserter").addInserts(data(queue).setId(id)))
        .getInserted(0);
  }

  public List<Task> tasks(TasksRequest.Builder request) {
    return client
        .call("api.EntroQ/Tasks", request.build(), TasksResponse.getDefaultInstance())
        .getTasksList();
  }

  public Task task(String id) {
    return tasks(TasksRequest.newBuilder().addTaskId(id)).get(0);
  }

  public List<QueueStats> stats(QueuesRequest.Builder request) {
    return client
        .call("api.EntroQ/QueueStats", request.build(), QueuesResponse.getDefaultInstance())
        .getQueuesList();
  }

  public List<QueueStats> queues(QueuesRequest.Builder request) {
    return client
        .call("api.EntroQ/Queues", request.build(), QueuesResponse.getDefaultInstance())
        .getQueuesList();
  }

  public static ClaimRequest.Builder claim(String claimant, String... queues) {
    return ClaimRequest.newBuilder()
        .setClaimantId(claimant)
        .addAllQueues(List.of(queues))
        .setDurationMs(30_000)
        .setPollMs(30_000);
  }

  public static TaskData.Builder data(String queue) {
    return TaskData.newBuilder().setQueue(queue).setAtMs(ServedQueue.GO_NO_TIME_MS);
  }

  public static TaskID.Builder ref(Task task) {
    return TaskID.newBuilder()
        .setId(task.getId())
        .setVersion(task.getVersion())
        .setQueue(task.getQueue());
  }

  /** A change as Go clients send it: the id stands in the new data once more. */
  public static TaskChange.Builder change(Task task) {
    return TaskChange.newBuilder()
        .setOldId(ref(task))
        .setNewData(
            TaskData.newBuilder()
                .setId(task.getId())
                .setQueue(task.getQueue())
                .setAtMs(ServedQueue.GO_NO_TIME_MS)
                .setAttempt(task.getAttempt())
                .setErr(task.getErr()));
  }
}
