package io.entroq.service.validation;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.service.call.Protocol;
import io.entroq.service.feed.TailRequests;
import io.entroq.service.translation.RefusedException;

/** What a request of the v1 API must have, whatever it asks for. */
final class RequestRules {
  private RequestRules() {}

  /**
   * Checks a request.
   *
   * @throws RefusedException if it is malformed
   */
  static void check(Message request, Protocol protocol) {
    UnknownFields.refuse(request, protocol);
    if (request instanceof ModifyRequest modify) {
      ModifyRules.check(modify, protocol);
    } else if (request instanceof ClaimRequest claim) {
      ClaimRules.check(claim);
    } else if (request instanceof ClaimDocsRequest claim) {
      DocClaimRules.check(claim.getClaimQuery(), protocol);
    } else if (request instanceof TasksRequest tasks) {
      check(tasks);
    } else if (request instanceof TailRequest tail) {
      FeedRequest unused = TailRequests.read(tail);
    } else if (request instanceof DocsRequest docs && docs.getQuery().getNamespace().isEmpty()) {
      throw Invalid.because("docs query must name a namespace");
    }
  }

  private static void check(TasksRequest tasks) {
    if (tasks.getQueue().isEmpty() && tasks.getTaskIdCount() == 0) {
      throw Invalid.because("tasks query must name a queue or task ids");
    }
  }
}
