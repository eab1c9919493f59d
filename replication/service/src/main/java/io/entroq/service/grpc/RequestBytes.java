package io.entroq.service.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;

/**
 * The bytes of a request. They are parsed when its reply exists: a marshaller that fails would make
 * gRPC report a fault of the server.
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
      throw unreadable(e);
    }
  }

  private static RefusedException unreadable(InvalidProtocolBufferException e) {
    return new RefusedException(Refusal.invalid("the request cannot be read: " + e.getMessage()));
  }
}
