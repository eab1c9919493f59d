package io.entroq.service.http;

import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.service.call.Service;
import java.util.List;

/** The methods of the v1 API with one answer, and where REST has them, contract 1.2. */
final class ApiMethods {
  /** Whose name the one method has that answers with many messages. */
  static final String STREAM_NAME = "StreamTasks";

  static final String STREAM_PATH = "/api/v0/tasks/stream";

  private ApiMethods() {}

  static List<ApiMethod<?, ?>> of(Service service) {
    ClaimRequest claim = ClaimRequest.getDefaultInstance();
    QueuesRequest queues = QueuesRequest.getDefaultInstance();
    return List.of(
        ApiMethod.post("TryClaim", "/api/v0/claim", claim, service::tryClaim),
        ApiMethod.waiting(
            "Claim",
            "/api/v0/claim/wait",
            claim,
            ClaimResponse.getDefaultInstance(),
            service::claim),
        ApiMethod.post(
            "CancelClaim",
            "/api/v0/claim/cancel",
            CancelClaimRequest.getDefaultInstance(),
            service::cancelClaim),
        ApiMethod.post(
            "Modify", "/api/v0/modify", ModifyRequest.getDefaultInstance(), service::modify),
        ApiMethod.get("Tasks", "/api/v0/tasks", TasksRequest.getDefaultInstance(), service::tasks),
        ApiMethod.get("Queues", "/api/v0/queues", queues, service::queues),
        ApiMethod.get("QueueStats", "/api/v0/queues/stats", queues, service::queueStats),
        time(service),
        ApiMethod.get("Docs", "/api/v0/docs", DocsRequest.getDefaultInstance(), service::docs),
        ApiMethod.post(
            "ClaimDocs",
            "/api/v0/docs/claim",
            ClaimDocsRequest.getDefaultInstance(),
            service::claimDocs),
        ApiMethod.get(
            "NamespaceStats",
            "/api/v0/namespaces/stats",
            NamespacesRequest.getDefaultInstance(),
            service::namespaceStats));
  }

  private static ApiMethod<TimeRequest, TimeResponse> time(Service service) {
    return ApiMethod.get(
        "Time",
        "/api/v0/time",
        TimeRequest.getDefaultInstance(),
        (context, request, reply) -> service.time(context, reply));
  }
}
