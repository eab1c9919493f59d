package io.entroq.tools.log;

import io.entroq.codec.wire.Ids;
import io.entroq.engine.backup.BackupManifest;
import java.nio.file.Path;

/** Prints the result of a backup or restore as a JSON object. */
public final class BackupJson {
  private BackupJson() {}

  /**
   * Prints one line.
   *
   * @param role name of the directory's member: {@code backup} or {@code restored}
   */
  public static void print(JsonLines lines, String role, Path directory, BackupManifest manifest) {
    lines.line(
        json -> {
          json.writeStringField(role, directory.toAbsolutePath().toString());
          json.writeStringField("logId", Ids.v0Text(manifest.logIdHigh(), manifest.logIdLow()));
          json.writeNumberField("level", manifest.level());
          json.writeNumberField("snapshotSequence", manifest.snapshotSequence());
          json.writeNumberField("sequence", manifest.sequence());
          ScanJson.time(json, "log", manifest.logTimeMs());
          ScanJson.digest(json, "history", manifest.historyDigest());
          ScanJson.digest(json, "content", manifest.contentDigest());
          json.writeNumberField("tasks", manifest.tasks());
          json.writeNumberField("files", manifest.files().size());
          json.writeNumberField("bytes", manifest.bytes());
        });
  }
}
