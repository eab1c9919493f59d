package io.entroq.server.cli.queue.print;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.NamespaceStats;
import java.io.IOException;
import java.util.Collection;

/** Statistics of namespaces, as a JSON object by name. */
public final class NamespacesJson {
  private NamespacesJson() {}

  /** Writes the object. */
  public static void write(JsonGenerator json, Collection<NamespaceStats> namespaces)
      throws IOException {
    json.writeStartObject();
    for (NamespaceStats namespace : namespaces) {
      json.writeObjectFieldStart(namespace.name());
      json.writeStringField("name", namespace.name());
      json.writeNumberField("size", namespace.docs());
      json.writeNumberField("claimed", namespace.claimed());
      json.writeEndObject();
    }
    json.writeEndObject();
  }
}
