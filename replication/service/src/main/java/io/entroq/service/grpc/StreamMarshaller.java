package io.entroq.service.grpc;

import io.entroq.service.stream.StreamMessage;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Writes the messages of request streams, which are already encoded. */
final class StreamMarshaller implements MethodDescriptor.Marshaller<StreamMessage> {
  @Override
  public InputStream stream(StreamMessage message) {
    return new Bytes(message);
  }

  @Override
  public StreamMessage parse(InputStream stream) {
    throw new UnsupportedOperationException("a server reads no responses");
  }

  /** Drained, never read. */
  private static final class Bytes extends InputStream implements KnownLength, Drainable {
    private final StreamMessage message;

    Bytes(StreamMessage message) {
      this.message = message;
    }

    @Override
    public int available() {
      return message.length();
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      message.writeTo(target);
      return message.length();
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("the message is drained instead");
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      throw new UnsupportedOperationException("the message is drained instead");
    }
  }
}
