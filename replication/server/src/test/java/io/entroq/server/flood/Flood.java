package io.entroq.server.flood;

import io.entroq.service.grpc.GrpcFlood;
import io.entroq.service.grpc.RawHttp2;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * Something that a sender can say on and on to one of the two ports.
 *
 * @param isHttp to the port of HTTP, else to that of gRPC
 * @param first what is said once
 * @param more what is said again and again, by how often it was said before
 * @param isCut whether the server has to close the connection
 * @param isSlow said a byte at a time, over many connections
 */
record Flood(
    String name,
    boolean isHttp,
    byte[] first,
    IntFunction<byte[]> more,
    boolean isCut,
    boolean isSlow) {
  private static final int BYTES = 32 << 10;
  private static final byte[] NOTHING = new byte[0];

  /** All kinds. What is random in them comes from a seed. */
  static List<Flood> all(long seed) {
    List<Flood> all = new ArrayList<>();
    for (GrpcFlood flood : GrpcFlood.values()) {
      all.add(new Flood(flood.name(), false, flood.first(), flood::more, true, false));
    }
    all.add(
        new Flood("RANDOM_FRAMES", false, NOTHING, round -> frames(seed + round), false, false));
    String get = "GET /healthz/live HTTP/1.1\r\nHost: t\r\n";
    String post =
        "POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n";
    all.add(http("PIPELINED", "", get + "\r\n", false));
    all.add(http("ENDLESS_FIRST_LINE", "GET /", "a", true));
    all.add(http("ENDLESS_HEADERS", get, "A: b\r\n", true));
    all.add(http("ENDLESS_HEADER", get + "A: ", "b", true));
    all.add(http("EMPTY_LINES", "", "\r\n", true));
    // As long as a request may be, and as slow.
    all.add(http("TINY_CHUNKS", post, "1\r\n \r\n", false));
    all.add(http("ENDLESS_CHUNK_SIZE", post, "0", true));
    all.add(http("ENDLESS_TRAILERS", post + "0\r\n", "A: b\r\n", true));
    all.add(new Flood("RANDOM_HTTP", true, NOTHING, round -> bytes(seed + round), false, false));
    for (boolean isHttp : new boolean[] {false, true}) {
      String port = isHttp ? "_HTTP" : "_GRPC";
      all.add(new Flood("HALF_OPEN" + port, isHttp, NOTHING, round -> NOTHING, false, true));
    }
    all.add(new Flood("SLOW_HEADERS", true, text(get + "A: "), round -> text("b"), false, true));
    return all;
  }

  private static Flood http(String name, String first, String more, boolean isCut) {
    byte[] repeated = text(more.repeat(Math.max(1, BYTES / more.length())));
    return new Flood(name, true, text(first), round -> repeated, isCut, false);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(long seed) {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] frames(long seed) {
    return RawHttp2.randomFrames(new SplittableRandom(seed), BYTES);
  }
}
