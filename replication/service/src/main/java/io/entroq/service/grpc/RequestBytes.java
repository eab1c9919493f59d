package io.entroq.service.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;

/**
 * The bytes of a request. They are parsed once its reply exists: gRPC reports a failing marshaller
 * as a fault of the server.
 */
final class RequestBytes {
  private final byte[] bytes;

  /**
   * @param bytes handed over
   */
  RequestBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The bytes, handed over. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * Parses the message, which shares these bytes.
   *
   * @throws RefusedException if it cannot be parsed
   */
  <R> R read(Parser<R> parser) {
    CodedInputStream input = UnsafeByteOperations.unsafeWrap(bytes).newCodedInput();
    input.enableAliasing(true);
    try {
      R message = parser.parseFrom(input);
      input.checkLastTagWas(0);
      return message;
    } catch (InvalidProtocolBufferException e) {
      throw new RefusedException(Refusal.invalid("the request cannot be read: " + e.getMessage()));
    }
  }
}
