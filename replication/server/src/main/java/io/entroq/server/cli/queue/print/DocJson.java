package io.entroq.server.cli.queue.print;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.Doc;
import java.io.IOException;

/** A doc as a JSON object, as EntroQ's own tool prints it (contract 3.7). */
public final class DocJson {
  private DocJson() {}

  /** Writes the object. Content that is bytes is written as JSON if it is JSON, else in base64. */
  public static void write(JsonGenerator json, Doc doc) throws IOException {
    json.writeStartObject();
    json.writeStringField("namespace", doc.id().namespace());
    json.writeStringField("id", doc.id().id());
    json.writeNumberField("version", doc.version());
    json.writeStringField("claimant", doc.claimant());
    json.writeStringField("at", doc.arrivalTime().toString());
    json.writeStringField("key", doc.key());
    json.writeStringField("secondary_key", doc.secondaryKey());
    json.writeFieldName("content");
    ValueJson.write(json, doc.value());
    json.writeStringField("created", doc.created().toString());
    json.writeStringField("modified", doc.modified().toString());
    json.writeEndObject();
  }
}
