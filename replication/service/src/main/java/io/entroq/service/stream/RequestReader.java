package io.entroq.service.stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.WireFormat;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.StreamRequest;
import io.entroq.codec.wire.edge.StreamResponse;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Service;
import io.entroq.service.translation.Refusal;
import java.io.IOException;

/**
 * Reads the requests of a client. If the client has identified itself, requests without an identity
 * get one from their numbers. One thread at a time.
 */
final class RequestReader {
  private static final int NUMBER =
      StreamRequest.NUMBER_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT;

  private final Service service;
  private final CallContext context;
  private final ByteString clientId;
  private long number;
  private int kind;
  private MessageLite.Builder request;

  /**
   * @param clientId empty if not given
   */
  RequestReader(Service service, CallContext context, ByteString clientId) {
    this.service = service;
    this.context = context;
    this.clientId = clientId;
  }

  /** The number of the request read last, even if the rest could not be read; 0 or less if none. */
  long number() {
    return number;
  }

  /**
   * Reads a request. Errors in it become its response.
   *
   * @param ackedBelow of the client message
   */
  StreamedRequest<?> read(ByteString bytes, long ackedBelow) {
    number = 0;
    kind = 0;
    request = null;
    try {
      fields(bytes.newCodedInput());
    } catch (InvalidProtocolBufferException e) {
      return StreamedRequest.refused(
          Refusal.invalid("the request cannot be read: " + e.getMessage()));
    } catch (IOException e) {
      throw new IllegalStateException("reading an array cannot fail", e);
    }
    return identified(ackedBelow);
  }

  private void fields(CodedInputStream input) throws IOException {
    input.enableAliasing(true);
    int tag = input.readTag();
    while (tag != 0) {
      MessageLite.Builder body = body(tag);
      if (tag == NUMBER) {
        number = input.readUInt64();
      } else if (body != null) {
        kind = WireFormat.getTagFieldNumber(tag);
        request = body;
        input.readMessage(body, ExtensionRegistryLite.getEmptyRegistry());
      } else if (!input.skipField(tag)) {
        throw new InvalidProtocolBufferException("a group ends that was not started");
      }
      tag = input.readTag();
    }
  }

  /** The builder for a field; null if the field is not a request. */
  private static MessageLite.Builder body(int tag) {
    if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
      return null;
    }
    return switch (WireFormat.getTagFieldNumber(tag)) {
      case StreamRequest.CLAIM_FIELD_NUMBER, StreamRequest.TRY_CLAIM_FIELD_NUMBER ->
          ClaimRequest.newBuilder();
      case StreamRequest.MODIFY_FIELD_NUMBER -> ModifyRequest.newBuilder();
      case StreamRequest.CLAIM_DOCS_FIELD_NUMBER -> ClaimDocsRequest.newBuilder();
      case StreamRequest.CANCEL_CLAIM_FIELD_NUMBER -> CancelClaimRequest.newBuilder();
      default -> null;
    };
  }

  private StreamedRequest<?> identified(long ackedBelow) {
    return switch (kind) {
      case StreamRequest.CLAIM_FIELD_NUMBER -> claim(Method.CLAIM, claim(ackedBelow));
      case StreamRequest.TRY_CLAIM_FIELD_NUMBER -> claim(Method.TRY_CLAIM, claim(ackedBelow));
      case StreamRequest.MODIFY_FIELD_NUMBER -> {
        ModifyRequest modify = modify(ackedBelow);
        yield request(
            Method.MODIFY,
            StreamResponse.MODIFY_FIELD_NUMBER,
            !modify.getClientId().isEmpty(),
            modify);
      }
      case StreamRequest.CLAIM_DOCS_FIELD_NUMBER -> {
        ClaimDocsRequest claim = claimDocs(ackedBelow);
        yield request(
            Method.CLAIM_DOCS,
            StreamResponse.CLAIM_DOCS_FIELD_NUMBER,
            !claim.getClientId().isEmpty(),
            claim);
      }
      case StreamRequest.CANCEL_CLAIM_FIELD_NUMBER ->
          request(
              Method.CANCEL_CLAIM,
              StreamResponse.CANCEL_CLAIM_FIELD_NUMBER,
              true,
              ((CancelClaimRequest.Builder) request).build());
      default -> StreamedRequest.refused(Refusal.invalid("request: missing"));
    };
  }

  private StreamedRequest<ClaimResponse> claim(
      Method<ClaimRequest, ClaimResponse> method, ClaimRequest claim) {
    return request(
        method, StreamResponse.CLAIM_FIELD_NUMBER, !claim.getClientId().isEmpty(), claim);
  }

  private <Q extends Message, S extends Message> StreamedRequest<S> request(
      Method<Q, S> method, int field, boolean isRepeatable, Q message) {
    return new StreamedRequest<>(
        field, isRepeatable, reply -> service.handle(method, context, message, reply));
  }

  private ClaimRequest claim(long ackedBelow) {
    ClaimRequest.Builder claim = (ClaimRequest.Builder) request;
    if (!clientId.isEmpty() && claim.getClientId().isEmpty()) {
      claim.setClientId(clientId).setRequestNumber(number).setAckedBelow(ackedBelow);
    }
    return claim.build();
  }

  private ModifyRequest modify(long ackedBelow) {
    ModifyRequest.Builder modify = (ModifyRequest.Builder) request;
    if (!clientId.isEmpty() && modify.getClientId().isEmpty()) {
      modify.setClientId(clientId).setRequestNumber(number).setAckedBelow(ackedBelow);
    }
    return modify.build();
  }

  private ClaimDocsRequest claimDocs(long ackedBelow) {
    ClaimDocsRequest.Builder claim = (ClaimDocsRequest.Builder) request;
    if (!clientId.isEmpty() && claim.getClientId().isEmpty()) {
      claim.setClientId(clientId).setRequestNumber(number).setAckedBelow(ackedBelow);
    }
    return claim.build();
  }
}
