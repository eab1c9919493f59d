package io.entroq.service.http.protocol;

import com.google.protobuf.Message;
import io.entroq.codec.wire.JsonText;
import io.entroq.service.protojson.JsonWriter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.Base64;

/** Refusals as JSON, for REST and for Connect. */
public final class ErrorJson {
  private static final String TYPE_URL_PREFIX = "type.googleapis.com/";
  private static final String DEPENDENCY = "modification dependency error";

  /** By one of these words Python's client knows it for what it is. */
  private static final String DEPENDENCY_WORDS = ": missing or mismatched dependencies";

  private ErrorJson() {}

  /** A google.rpc.Status. */
  public static String rest(Refusal refusal) {
    StringBuilder json = new StringBuilder();
    json.append("{\"code\":").append(refusal.code().value()).append(",\"message\":");
    JsonText.append(
        json,
        refusal.message().equals(DEPENDENCY) ? DEPENDENCY + DEPENDENCY_WORDS : refusal.message());
    json.append(",\"details\":[");
    String comma = "";
    for (Message detail : refusal.details()) {
      json.append(comma);
      comma = ",";
      new JsonWriter(json).appendAny(TYPE_URL_PREFIX + name(detail), detail);
    }
    return json.append("]}").toString();
  }

  /** An error of Connect. */
  public static String connect(Refusal refusal) {
    StringBuilder json = new StringBuilder();
    json.append("{\"code\":");
    JsonText.append(json, StatusCodes.connectName(refusal.code()));
    if (!refusal.message().isEmpty()) {
      json.append(",\"message\":");
      JsonText.append(json, refusal.message());
    }
    if (!refusal.details().isEmpty()) {
      json.append(",\"details\":[");
      String comma = "";
      for (Message detail : refusal.details()) {
        json.append(comma).append("{\"type\":");
        comma = ",";
        JsonText.append(json, name(detail));
        json.append(",\"value\":");
        JsonText.append(json, base64(detail));
        json.append('}');
      }
      json.append(']');
    }
    return json.append('}').toString();
  }

  /** The refusal as EntroQ's own server would tell of it. */
  public static Refusal flat(Refusal refusal) {
    return new Refusal(
        Status.Code.UNKNOWN,
        "rpc error: code = %s desc = %s"
            .formatted(StatusCodes.goName(refusal.code()), refusal.message()));
  }

  private static String name(Message detail) {
    return Facade.V1.protoPackage() + "." + detail.getDescriptorForType().getName();
  }

  private static String base64(Message detail) {
    return Base64.getEncoder().withoutPadding().encodeToString(detail.toByteArray());
  }
}
