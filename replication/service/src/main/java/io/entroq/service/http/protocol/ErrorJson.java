package io.entroq.service.http.protocol;

import com.google.protobuf.Message;
import io.entroq.codec.wire.JsonText;
import io.entroq.service.protojson.JsonWriter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.util.Base64;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Refusals as JSON for REST and Connect. Not written by a library, because clients expect details
 * with the published names of their types and without omitting default enum values.
 */
public final class ErrorJson {
  private static final String TYPE_URL_PREFIX = "type.googleapis.com/";
  private static final String DEPENDENCY = "modification dependency error";

  /** The Python client recognizes the error by one of these words. */
  private static final String DEPENDENCY_WORDS = ": missing or mismatched dependencies";

  private ErrorJson() {}

  /** A google.rpc.Status. */
  public static String rest(Refusal refusal) {
    String message =
        refusal.message().equals(DEPENDENCY) ? DEPENDENCY + DEPENDENCY_WORDS : refusal.message();
    return "{\"code\":%d,\"message\":%s,\"details\":%s}"
        .formatted(
            refusal.code().value(),
            quoted(message),
            array(refusal, detail -> JsonWriter.writeAny(TYPE_URL_PREFIX + name(detail), detail)));
  }

  /** A Connect error. */
  public static String connect(Refusal refusal) {
    String message = refusal.message().isEmpty() ? "" : ",\"message\":" + quoted(refusal.message());
    String details =
        refusal.details().isEmpty() ? "" : ",\"details\":" + array(refusal, ErrorJson::detail);
    return "{\"code\":\"" + StatusCodes.connectName(refusal.code()) + '"' + message + details + '}';
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
    return Facade.V1.protoPackage() + "." + detail.getDescriptorForType().getName();
  }
}
