package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The table of sent headers is small, unless the peer asks for another size. */
class HeaderTableBoundTest {
  /**
   * Changes of the size to 1,024 and to 4,096, as header blocks begin with them (RFC 7541, 6.3).
   */
  private static final byte[] SMALL = {0x3f, (byte) 0xe1, 0x07};

  private static final byte[] STANDARD = {0x3f, (byte) 0xe1, 0x1f};

  /** Of the peer's settings: the size of the table is 4,096. */
  private static final byte[] WANTS_STANDARD = {0, 1, 0, 0, 0x10, 0};

  private static final byte[] EMPTY_MESSAGE = new byte[5];

  private final ServedQueue served = new ServedQueue();

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldBeSmall() throws IOException {
    assertThat(firstHeaders()).startsWith(SMALL);
  }

  @Test
  void shouldHaveTheSizeThatThePeerAsksFor() throws IOException {
    byte[] settings = RawHttp2.frame(RawHttp2.SETTINGS, 0, 0, WANTS_STANDARD);
    assertThat(firstHeaders(settings)).startsWith(RawHttp2.concat(SMALL, STANDARD));
  }

  /** The headers of the first response on a connection, after that is sent. */
  private byte[] firstHeaders(byte... before) throws IOException {
    try (RawHttp2 connection = new RawHttp2(served.server.port(), Optional.empty())) {
      connection.write(before);
      connection.write(RawHttp2.call("/api.EntroQ/Time", EMPTY_MESSAGE));
      RawHttp2.Frame frame = connection.read().orElseThrow();
      while (frame.type() != RawHttp2.HEADERS) {
        frame = connection.read().orElseThrow();
      }
      return frame.payload();
    }
  }
}
