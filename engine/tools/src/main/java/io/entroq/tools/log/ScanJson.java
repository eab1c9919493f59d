package io.entroq.tools.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.engine.log.scan.Damage;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.log.scan.TornTail;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/**
 * Writes the result of a scan as members of JSON objects. File names are relative to the directory.
 */
final class ScanJson {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private final Path directory;

  ScanJson(Path directory) {
    this.directory = directory;
  }

  /** Writes what an engine would find, or else what was found in the whole log. */
  void write(JsonGenerator json, ScanReport byEngine, ScanReport all) throws IOException {
    if (byEngine.isTorn()) {
      tornTail(json, byEngine.tornTail());
    }
    if (byEngine.isDamaged() || all.isDamaged()) {
      damage(json, byEngine.isDamaged() ? byEngine.damage() : all.damage());
    }
  }

  /** Writes the members {@code tornTail} and {@code damage}, if any. */
  void write(JsonGenerator json, ScanReport report) throws IOException {
    if (report.isTorn()) {
      tornTail(json, report.tornTail());
    }
    if (report.isDamaged()) {
      damage(json, report.damage());
    }
  }

  private void tornTail(JsonGenerator json, TornTail tail) throws IOException {
    json.writeObjectFieldStart("tornTail");
    json.writeNumberField("afterSequence", tail.afterSequence());
    if (tail.file() != null) {
      json.writeStringField("file", name(tail.file()));
      json.writeNumberField("offset", tail.offset());
    }
    json.writeNumberField("nonZeroBytes", tail.nonZeroBytes());
    json.writeStringField("what", tail.what());
    json.writeEndObject();
  }

  private void damage(JsonGenerator json, Damage damage) throws IOException {
    json.writeObjectFieldStart("damage");
    json.writeStringField("file", name(damage.file()));
    json.writeNumberField("offset", damage.offset());
    json.writeNumberField("sequence", damage.sequence());
    json.writeStringField("what", damage.what());
    json.writeStringField("advice", damage.advice());
    json.writeEndObject();
  }

  /** The path relative to the data directory. */
  String name(Path file) {
    return file.startsWith(directory) ? directory.relativize(file).toString() : file.toString();
  }

  /** Writes {@code <prefix>Time} for people and {@code <prefix>TimeMs} for programs. */
  static void time(JsonGenerator json, String prefix, long timeMs) throws IOException {
    String name = prefix.isEmpty() ? "time" : prefix + "Time";
    json.writeStringField(name, MILLISECONDS.format(Instant.ofEpochMilli(timeMs)));
    json.writeNumberField(name + "Ms", timeMs);
  }

  /** Writes a digest as 16 hex digits, because a JSON number would lose bits. */
  static void digest(JsonGenerator json, String name, long digest) throws IOException {
    json.writeStringField(name, "%016x".formatted(digest));
  }
}
