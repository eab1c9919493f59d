package io.entroq.service.http.protocol;

import com.google.protobuf.Message;
import io.entroq.service.protojson.Defaults;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.util.Map;
import java.util.OptionalLong;

/** Unary Connect: one message in each body. */
public final class ConnectDialect implements Dialect {
  private static final String VERSION_HEADER = "connect-protocol-version";
  private static final String VERSION = "1";
  private static final String TYPE_PREFIX = "application/";

  private final ConnectCodec codec;

  public ConnectDialect(ConnectCodec codec) {
    this.codec = codec;
  }

  public static String mediaType(ConnectCodec codec) {
    return TYPE_PREFIX + codec.subtype();
  }

  @Override
  public void read(ApiRequest request, Message.Builder message) {
    requireVersion(request);
    codec.read(request.body(), message);
  }

  /**
   * @throws RefusedException if the request asks for another version of Connect
   */
  public static void requireVersion(ApiRequest request) {
    request
        .header(VERSION_HEADER)
        .filter(version -> !version.equals(VERSION))
        .ifPresent(
            version -> {
              throw new RefusedException(
                  Refusal.invalid(VERSION_HEADER + ": expected " + VERSION + ", got " + version));
            });
  }

  @Override
  public OptionalLong deadline(ApiRequest request) {
    return Deadlines.connect(request);
  }

  @Override
  public boolean allowsBlanks() {
    return codec == ConnectCodec.JSON;
  }

  @Override
  public ApiResponse response(Message message, Defaults defaults) {
    return new ApiResponse(200, mediaType(codec), codec.write(message, defaults), Map.of());
  }

  @Override
  public ApiResponse refusal(Refusal refusal, Defaults defaults) {
    return ApiResponse.json(
        StatusCodes.status(ErrorJson.code(refusal)), ErrorJson.connect(refusal));
  }
}
