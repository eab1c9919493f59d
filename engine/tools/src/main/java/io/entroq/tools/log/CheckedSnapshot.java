package io.entroq.tools.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import java.io.IOException;

/**
 * A snapshot and the result of its check.
 *
 * @param manifest null if it is damaged
 * @param problem what is wrong; null if it is good
 */
record CheckedSnapshot(Snapshot snapshot, Manifest manifest, String problem) {
  boolean isGood() {
    return problem == null;
  }

  void write(JsonGenerator json, ScanJson scanJson) throws IOException {
    json.writeStringField("snapshot", scanJson.name(snapshot.directory()));
    json.writeNumberField("sequence", snapshot.sequence());
    if (manifest != null) {
      ScanJson.time(json, "", manifest.logTimeMs());
      json.writeNumberField("bytes", manifest.stateBytes());
      json.writeNumberField("level", manifest.level());
      json.writeNumberField("tasks", manifest.tasks());
      json.writeNumberField("queues", manifest.queues());
      ScanJson.digest(json, "history", manifest.historyDigest());
      ScanJson.digest(json, "content", manifest.contentDigest());
    }
    json.writeBooleanField("ok", isGood());
    if (!isGood()) {
      json.writeStringField("problem", problem);
    }
  }
}
