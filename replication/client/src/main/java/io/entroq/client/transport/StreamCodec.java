package io.entroq.client.transport;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.StreamRequest;
import io.entroq.codec.wire.edge.StreamResponse;

/** Converts requests and responses to and from stream messages. */
final class StreamCodec {
  private StreamCodec() {}

  /** Whether a stream carries the requests of a method. */
  static boolean carries(Method<?, ?> method) {
    return method == Method.MODIFY
        || method == Method.TRY_CLAIM
        || method == Method.CLAIM
        || method == Method.CLAIM_DOCS
        || method == Method.CANCEL_CLAIM;
  }

  /** The stream message of a request. */
  static StreamRequest.Builder of(Method<?, ?> method, Message request) {
    StreamRequest.Builder message = StreamRequest.newBuilder();
    if (request instanceof ModifyRequest modify) {
      return message.setModify(modify);
    }
    if (request instanceof ClaimRequest claim) {
      return method == Method.CLAIM ? message.setClaim(claim) : message.setTryClaim(claim);
    }
    return request instanceof ClaimDocsRequest claimDocs
        ? message.setClaimDocs(claimDocs)
        : message.setCancelClaim((CancelClaimRequest) request);
  }

  /** The answer in a response; null if there is none of a known kind. */
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
