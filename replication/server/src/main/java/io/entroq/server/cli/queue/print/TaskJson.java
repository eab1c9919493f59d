package io.entroq.server.cli.queue.print;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.Task;
import java.io.IOException;

/** A task as a JSON object, as EntroQ's own tool prints it (contract 3.7). */
public final class TaskJson {
  private TaskJson() {}

  /** Writes the object. A value that is bytes is written as JSON if it is JSON, else in base64. */
  public static void write(JsonGenerator json, Task task) throws IOException {
    json.writeStartObject();
    json.writeStringField("queue", task.queue());
    json.writeStringField("id", task.id().text());
    json.writeNumberField("version", task.version());
    json.writeStringField("at", task.arrivalTime().toString());
    json.writeStringField("claimant", task.claimant());
    json.writeNumberField("claims", task.claims());
    json.writeFieldName("value");
    ValueJson.write(json, task.value());
    json.writeStringField("created", task.created().toString());
    json.writeStringField("modified", task.modified().toString());
    json.writeNumberField("attempt", task.attempt());
    json.writeStringField("err", task.err());
    json.writeEndObject();
  }
}
