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
 * What a scan has found, as members of JSON objects. Files are named as seen from the directory.
 */
final class ScanJson {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private final Path directory;

  ScanJson(Path directory) {
    this.directory = directory;
  }

  /**
   * As {@link #write(JsonGenerator, ScanReport)}, for what an engine finds, and what was found in
   * all of the log.
   */
  void write(JsonGenerator json, ScanReport byEngine, ScanReport all) throws IOException {
    if (byEngine.isTorn()) {
      tornTail(json, byEngine.tornTail());
    }
    if (byEngine.isDamaged() || all.isDamaged()) {
      damage(json, byEngine.isDamaged() ? byEngine.damage() : all.damage());
    }
  }

  /** The members {@code tornTail} and {@code damage}, each only if there is one. */
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

  /** A file or directory, without where the data directory happens to be. */
  String name(Path file) {
    return file.startsWith(directory) ? directory.relativize(file).toString() : file.toString();
  }

  /** The members {@code <prefix>Time}, for people, and {@code <prefix>TimeMs}, for programs. */
  static void time(JsonGenerator json, String prefix, long timeMs) throws IOException {
    String name = prefix.isEmpty() ? "time" : prefix + "Time";
    json.writeStringField(name, MILLISECONDS.format(Instant.ofEpochMilli(timeMs)));
    json.writeNumberField(name + "Ms", timeMs);
  }

  /** A digest, as 16 hex digits: a JSON number would lose some of its bits. */
  static void digest(JsonGenerator json, String name, long digest) throws IOException {
    json.writeStringField(name, "%016x".formatted(digest));
  }
}
