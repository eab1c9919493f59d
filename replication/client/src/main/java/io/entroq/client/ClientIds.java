package io.entroq.client;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** Generates client ids. Any thread. */
final class ClientIds {
  private static final SecureRandom RANDOM = new SecureRandom();

  private ClientIds() {}

  /** 16 random bytes, not all of them zero. */
  static ByteString random() {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
    bytes.putLong(RANDOM.nextLong() | 1).putLong(RANDOM.nextLong()).flip();
    return ByteString.copyFrom(bytes);
  }
}
