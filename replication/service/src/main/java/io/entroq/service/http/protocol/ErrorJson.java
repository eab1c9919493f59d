package io.entroq.service.http.protocol;

import com.google.protobuf.Message;
import io.entroq.codec.wire.JsonText;
import io.entroq.service.protojson.Defaults;
import io.entroq.service.protojson.JsonWriter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.Base64;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Refusals as JSON for REST and Connect. Not written by a library, because clients expect details
 * with the published names of their types and without omitting default enum values.
 */
public final class ErrorJson {
  private static final String TYPE_URL_PREFIX = "type.googleapis.com/";

  private ErrorJson() {}

  /** The code over HTTP. Failed dependencies are a conflict there, and NOT_FOUND over gRPC. */
  public static Status.Code code(Refusal refusal) {
    return refusal.code() == Status.Code.NOT_FOUND ? Status.Code.ABORTED : refusal.code();
  }

  /** A google.rpc.Status. */
  public static String rest(Refusal refusal, Defaults defaults) {
    return "{\"code\":%d,\"message\":%s,\"details\":%s}"
        .formatted(
            code(refusal).value(),
            quoted(refusal.message()),
            array(
                refusal,
                detail -> JsonWriter.writeAny(TYPE_URL_PREFIX + name(detail), detail, defaults)));
  }

  /** A Connect error. */
  public static String connect(Refusal refusal) {
    String message = refusal.message().isEmpty() ? "" : ",\"message\":" + quoted(refusal.message());
    String details =
        refusal.details().isEmpty() ? "" : ",\"details\":" + array(refusal, ErrorJson::detail);
    return "{\"code\":\"" + StatusCodes.connectName(code(refusal)) + '"' + message + details + '}';
  }

  private static String detail(Message detail) {
    String base64 = Base64.getEncoder().withoutPadding().encodeToString(detail.toByteArray());
    return "{\"type\":\"%s\",\"value\":\"%s\"}".formatted(name(detail), base64);
  }

  private static String array(Refusal refusal, Function<Message, String> element) {
    return refusal.details().stream().map(element).collect(Collectors.joining(",", "[", "]"));
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2);
    JsonText.append(json, text);
    return json.toString();
  }

  private static String name(Message detail) {
    return Facade.V1.typeName(detail);
  }
}
