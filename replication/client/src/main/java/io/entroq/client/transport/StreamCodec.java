package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.StreamRequest;
import io.entroq.codec.wire.edge.StreamResponse;

/** How requests and answers stand in the messages of a stream. */
final class StreamCodec {
  private StreamCodec() {}

  /** Whether a stream carries the requests of a method. */
  static boolean has(Method<?, ?> method) {
    return method == Method.MODIFY
        || method == Method.TRY_CLAIM
        || method == Method.CLAIM
        || method == Method.CLAIM_DOCS
        || method == Method.CANCEL_CLAIM;
  }

  /** A request of a method that a stream carries. */
  static StreamRequest.Builder of(Method<?, ?> method, Message request) {
    StreamRequest.Builder form = StreamRequest.newBuilder();
    if (request instanceof ModifyRequest modify) {
      return form.setModify(modify);
    }
    if (request instanceof ClaimRequest claim) {
      return method == Method.CLAIM ? form.setClaim(claim) : form.setTryClaim(claim);
    }
    return request instanceof ClaimDocsRequest claimDocs
        ? form.setClaimDocs(claimDocs)
        : form.setCancelClaim((CancelClaimRequest) request);
  }

  /** The answer that a response has; null: none that is known here. */
  static Message answer(StreamResponse response) {
    return switch (response.getResponseCase()) {
      case CLAIM -> response.getClaim();
      case MODIFY -> response.getModify();
      case CLAIM_DOCS -> response.getClaimDocs();
      case CANCEL_CLAIM -> response.getCancelClaim();
      default -> null;
    };
  }
}
