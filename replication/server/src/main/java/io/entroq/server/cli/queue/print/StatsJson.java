package io.entroq.server.cli.queue.print;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.QueueStats;
import java.io.IOException;
import java.util.Collection;

/**
 * Statistics of queues, as a JSON object by name with the members that EntroQ's own tool prints
 * (contract 3.7) and the age of the oldest available task.
 */
public final class StatsJson {
  private StatsJson() {}

  /** Writes the object. */
  public static void write(JsonGenerator json, Collection<QueueStats> queues) throws IOException {
    json.writeStartObject();
    for (QueueStats queue : queues) {
      json.writeObjectFieldStart(queue.name());
      json.writeStringField("name", queue.name());
      json.writeNumberField("size", queue.tasks());
      json.writeNumberField("claimed", queue.claimed());
      json.writeNumberField("available", queue.available());
      json.writeNumberField("future", queue.future());
      json.writeNumberField("maxClaims", queue.maxClaims());
      if (queue.oldestAvailableAge().isPresent()) {
        json.writeNumberField("oldestAvailableMs", queue.oldestAvailableAge().get().toMillis());
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }
}
