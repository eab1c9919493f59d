package io.entroq.service.http;

import com.google.protobuf.Message;
import io.entroq.service.edge.Refusal;
import io.entroq.service.edge.RefusedException;
import java.util.Map;
import java.util.OptionalLong;

/** Connect: one message in the body of a request, and one in the answer. */
final class ConnectDialect implements Dialect {
  private static final String VERSION_HEADER = "connect-protocol-version";
  private static final String VERSION = "1";
  private static final String TYPE_PREFIX = "application/";

  private final ConnectCodec codec;

  ConnectDialect(ConnectCodec codec) {
    this.codec = codec;
  }

  /** The type of bodies. */
  static String mediaType(ConnectCodec codec) {
    return TYPE_PREFIX + codec.word();
  }

  @Override
  public void read(Request request, Message.Builder message) {
    requireVersion(request);
    codec.read(request.body(), message);
  }

  /**
   * Holds that a request does not ask for another version.
   *
   * @throws RefusedException if it does
   */
  static void requireVersion(Request request) {
    request
        .header(VERSION_HEADER)
        .filter(version -> !version.equals(VERSION))
        .ifPresent(
            version -> {
              throw new RefusedException(
                  Refusal.invalid(VERSION_HEADER + ": " + version + ", not " + VERSION));
            });
  }

  @Override
  public OptionalLong deadline(Request request) {
    return Deadlines.connect(request);
  }

  @Override
  public Response answer(Message message) {
    return new Response(200, mediaType(codec), codec.write(message), Map.of());
  }

  @Override
  public Response refusal(Refusal refusal) {
    return Response.json(Codes.status(refusal.code()), Errors.connect(refusal));
  }
}
