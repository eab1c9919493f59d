package io.entroq.client;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;

/** Sets the identity of requests, by which a server recognizes repeated ones. */
final class RequestIdentity {
  private RequestIdentity() {}

  static ClaimRequest claim(
      ClaimRequest request, ByteString clientId, long number, long ackedBelow) {
    return request.toBuilder()
        .setClientId(clientId)
        .setRequestNumber(number)
        .setAckedBelow(ackedBelow)
        .build();
  }

  static ModifyRequest modify(
      ModifyRequest request, ByteString clientId, long number, long ackedBelow) {
    return request.toBuilder()
        .setClientId(clientId)
        .setRequestNumber(number)
        .setAckedBelow(ackedBelow)
        .build();
  }

  static ClaimDocsRequest claimDocs(
      ClaimDocsRequest request, ByteString clientId, long number, long ackedBelow) {
    return request.toBuilder()
        .setClientId(clientId)
        .setRequestNumber(number)
        .setAckedBelow(ackedBelow)
        .build();
  }
}
