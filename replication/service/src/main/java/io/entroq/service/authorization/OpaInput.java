package io.entroq.service.authorization;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.service.call.Principal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The policy's input (contract 4.4). Empty fields are omitted. */
final class OpaInput {
  private static final JsonFactory JSON = new JsonFactory();

  private OpaInput() {}

  static byte[] of(AuthorizationQuery query) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeObjectFieldStart("input");
      if (query.principal().isPresent()) {
        writePrincipal(json, query.principal().get());
      } else {
        writeAuthorization(json, query.authorization());
      }
      writeUnlessEmpty(json, "claimant_id", query.claimantId());
      writePermissions(json, "queues", query.queues());
      writePermissions(json, "namespaces", query.namespaces());
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("written to memory", e);
    }
    return bytes.toByteArray();
  }

  /** A verified caller, instead of a header for the policy to verify. */
  private static void writePrincipal(JsonGenerator json, Principal principal) throws IOException {
    json.writeObjectFieldStart("principal");
    json.writeStringField("subject", principal.subject());
    json.writeStringField("issuer", principal.issuer());
    json.writeArrayFieldStart("audience");
    for (String audience : principal.audience()) {
      json.writeString(audience);
    }
    json.writeEndArray();
    json.writeNumberField("expires_at", principal.expiresAtS());
    json.writeFieldName("claims");
    json.writeRawValue(principal.claims());
    json.writeEndObject();
  }

  /** A header without a blank is credentials without a type. */
  private static void writeAuthorization(JsonGenerator json, String header) throws IOException {
    int blank = header.indexOf(' ');
    json.writeObjectFieldStart("authz");
    writeUnlessEmpty(json, "type", blank < 0 ? "" : header.substring(0, blank));
    writeUnlessEmpty(json, "credentials", header.substring(blank + 1));
    json.writeEndObject();
  }

  private static void writePermissions(
      JsonGenerator json, String field, List<Permission> permissions) throws IOException {
    if (permissions.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart(field);
    for (Permission permission : permissions) {
      json.writeStartObject();
      if (permission.isPrefix()) {
        // Even if it is empty: that matches everything.
        json.writeStringField("prefix", permission.name());
      } else {
        writeUnlessEmpty(json, "exact", permission.name());
      }
      json.writeArrayFieldStart("actions");
      json.writeString(permission.action().name());
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeUnlessEmpty(JsonGenerator json, String field, String text)
      throws IOException {
    if (!text.isEmpty()) {
      json.writeStringField(field, text);
    }
  }
}
