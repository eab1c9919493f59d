package io.entroq.client;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;

/** Puts numbers on requests, by which a server knows them again. */
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
