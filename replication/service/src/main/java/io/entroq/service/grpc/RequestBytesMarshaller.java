package io.entroq.service.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Reads requests as bytes. */
final class RequestBytesMarshaller implements MethodDescriptor.Marshaller<RequestBytes> {
  @Override
  public RequestBytes parse(InputStream stream) {
    try {
      return new RequestBytes(stream instanceof KnownLength ? read(stream) : stream.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** In one piece: the length is known unless the message was compressed. */
  private static byte[] read(InputStream stream) throws IOException {
    byte[] bytes = new byte[stream.available()];
    int length = stream.readNBytes(bytes, 0, bytes.length);
    if (length != bytes.length) {
      throw new EOFException(length + " bytes of a message of " + bytes.length);
    }
    return bytes;
  }

  @Override
  public InputStream stream(RequestBytes request) {
    throw new UnsupportedOperationException("a server sends no requests");
  }
}
