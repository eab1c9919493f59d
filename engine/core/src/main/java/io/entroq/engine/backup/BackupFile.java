package io.entroq.engine.backup;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.Ids;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.SmallFile;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.UnsupportedLevelException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/** Reads and writes {@code backup.json}, which describes the other files and is written last. */
final class BackupFile {
  private static final JsonFactory JSON = new JsonFactory();

  /** The last field: CRC32C of the whole text, with {@link #UNCHECKED} in its place. */
  private static final String CHECK = "check";

  private static final String UNCHECKED = "--------";
  private static final Pattern CHECK_LINE =
      Pattern.compile("\"" + CHECK + "\" : \"([0-9a-f]{8})\"\\n}\\n\\z");

  /** Names of files in a backup; nothing else is ever copied to a data directory. */
  private static final Pattern PATH =
      Pattern.compile(
          "log/run-\\d{6,9}-\\d{20}/[0-9A-Za-z-]+\\.cq4"
              + "|snapshots/snapshot-\\d{20}/(state|manifest)");

  private final Path file;

  BackupFile(Path backup) {
    this.file = backup.resolve(BackupManifest.FILE_NAME);
  }

  /** Writes the file atomically, on the disk when this returns. */
  void write(BackupManifest manifest, Forcer forcer) throws IOException {
    byte[] json = json(manifest).getBytes(StandardCharsets.UTF_8);
    try {
      SmallFile.replace(file.getParent(), BackupManifest.FILE_NAME, json, forcer);
    } catch (IOException | RuntimeException e) {
      // It may exist, but a backup reported as failed must not be complete.
      Files.deleteIfExists(file);
      throw e;
    }
  }

  private String whyUnfinished() {
    return Files.exists(BackupMark.fileIn(file.getParent()))
        ? ", and %s shows that it was not finished".formatted(LogDirectory.UNFINISHED_BACKUP)
        : "";
  }

  private static String json(BackupManifest manifest) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
      json.writeStartObject();
      json.writeNumberField("format", manifest.format());
      json.writeStringField("created", Instant.ofEpochMilli(manifest.createdMs()).toString());
      json.writeNumberField("createdMs", manifest.createdMs());
      json.writeStringField("toolVersion", manifest.toolVersion());
      json.writeStringField("logId", Ids.v0Text(manifest.logIdHigh(), manifest.logIdLow()));
      json.writeNumberField("level", manifest.level());
      json.writeNumberField("snapshotSequence", manifest.snapshotSequence());
      json.writeNumberField("sequence", manifest.sequence());
      json.writeNumberField("logTimeMs", manifest.logTimeMs());
      json.writeStringField("history", "%016x".formatted(manifest.historyDigest()));
      json.writeStringField("content", "%016x".formatted(manifest.contentDigest()));
      json.writeNumberField("tasks", manifest.tasks());
      json.writeNumberField("bytes", manifest.bytes());
      json.writeArrayFieldStart("files");
      for (CopiedFile each : manifest.files()) {
        json.writeStartObject();
        json.writeStringField("path", each.path());
        json.writeNumberField("bytes", each.bytes());
        json.writeStringField("crc32c", "%08x".formatted(each.crc()));
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeStringField(CHECK, UNCHECKED);
      json.writeEndObject();
    }
    String unchecked = text + "\n";
    return unchecked.replace(UNCHECKED, crcOf(unchecked));
  }

  private static String crcOf(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted((int) crc.getValue());
  }

  /** Checks the whole text against its checksum. */
  private static void requireChecked(String text) {
    Matcher check = CHECK_LINE.matcher(text);
    require(check.find(), "its last line is not its checksum");
    String sum = check.group(1);
    String unchecked = text.substring(0, check.start(1)) + UNCHECKED + text.substring(check.end(1));
    require(crcOf(unchecked).equals(sum), "its checksum does not match its text");
  }

  /**
   * Reads the file.
   *
   * @throws LogException if it does not exist or is damaged
   */
  BackupManifest read() {
    if (!Files.isRegularFile(file)) {
      throw LogException.error(
          "%s is not a complete backup: it has no %s%s."
              .formatted(
                  file.getParent().toAbsolutePath(), BackupManifest.FILE_NAME, whyUnfinished()));
    }
    try {
      return parse(Files.readString(file));
    } catch (JsonProcessingException e) {
      throw damaged(e.getOriginalMessage(), e);
    } catch (CharacterCodingException e) {
      throw damaged("it is not text", e);
    } catch (IOException e) {
      throw LogException.error("Cannot read %s: %s".formatted(file, FileErrors.describe(e)), e);
    } catch (IllegalArgumentException e) {
      throw damaged(e.getMessage(), e);
    }
  }

  private LogException damaged(String what, Exception cause) {
    return LogException.error(
        "%s is damaged: %s. Use another backup.".formatted(file.toAbsolutePath(), what), cause);
  }

  private static BackupManifest parse(String text) throws IOException {
    requireChecked(text);
    Map<String, String> scalars = new HashMap<>();
    List<CopiedFile> files = new ArrayList<>();
    try (JsonParser json = JSON.createParser(text)) {
      require(json.nextToken() == JsonToken.START_OBJECT, "it is not an object");
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.START_ARRAY) {
          readFiles(json, files);
        } else {
          require(json.currentToken().isScalarValue(), name + " is not a number or text");
          scalars.put(name, json.getText());
        }
      }
    }
    requireReadable(scalars);
    BackupManifest manifest = manifest(scalars, files);
    require(
        number(scalars, "format") == manifest.format(),
        "format %s is not that of level %d".formatted(scalars.get("format"), manifest.level()));
    return manifest;
  }

  /** Checks the level before anything that another level may write differently. */
  private static void requireReadable(Map<String, String> scalars) {
    try {
      Levels.requireReadable(Math.toIntExact(number(scalars, "level")));
    } catch (UnsupportedLevelException e) {
      throw LogException.error(
          "The backup cannot be read by this build: %s.".formatted(e.getMessage()), e);
    }
  }

  private static void readFiles(JsonParser json, List<CopiedFile> files) throws IOException {
    while (json.nextToken() == JsonToken.START_OBJECT) {
      Map<String, String> file = new HashMap<>();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        require(json.nextToken().isScalarValue(), name + " is not a number or text");
        file.put(name, json.getText());
      }
      String path = text(file, "path");
      require(isOfData(path), path + " is not a file of a data directory");
      files.add(
          new CopiedFile(
              path, number(file, "bytes"), HexFormat.fromHexDigits(text(file, "crc32c"))));
    }
  }

  /** Whether a backup may contain a file with this path. */
  static boolean isOfData(String path) {
    return PATH.matcher(path).matches();
  }

  private static BackupManifest manifest(Map<String, String> scalars, List<CopiedFile> files) {
    IdKey logId = Ids.ofV0(text(scalars, "logId"));
    return new BackupManifest(
        number(scalars, "snapshotSequence"),
        number(scalars, "sequence"),
        number(scalars, "logTimeMs"),
        HexFormat.fromHexDigitsToLong(text(scalars, "history")),
        HexFormat.fromHexDigitsToLong(text(scalars, "content")),
        logId.high(),
        logId.low(),
        Math.toIntExact(number(scalars, "level")),
        number(scalars, "tasks"),
        number(scalars, "createdMs"),
        text(scalars, "toolVersion"),
        files);
  }

  private static String text(Map<String, String> fields, String name) {
    String text = fields.get(name);
    require(text != null, name + " is missing");
    return text;
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(text(fields, name));
  }

  private static void require(boolean isRight, String otherwise) {
    if (!isRight) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
