package io.entroq.server.settings;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A configuration file: YAML, one line {@code name: value} per setting. */
final class SettingsFile {
  /** A larger file is not a configuration file; it was named by mistake. */
  private static final long BYTES_MAX = 1 << 20;

  private static final YAMLFactory YAML =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final Path file;
  private final Map<String, Setting<?>> known = new HashMap<>();

  SettingsFile(Path file, List<Setting<?>> settings) {
    this.file = file;
    for (Setting<?> setting : settings) {
      known.put(setting.name(), setting);
    }
  }

  /**
   * Reads the file.
   *
   * @throws InvalidSettingException if it cannot be read or has an unknown setting; the message
   *     names the line
   */
  List<ExplicitValue> read() {
    try {
      long bytes = Files.size(file);
      if (bytes > BYTES_MAX) {
        throw new InvalidSettingException(
            "%s: is not a configuration file: it has %d bytes, at most %d are allowed"
                .formatted(file, bytes, BYTES_MAX));
      }
      try (JsonParser parser = YAML.createParser(Files.readString(file))) {
        return settings(parser);
      }
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new InvalidSettingException(
          "%s:%d: invalid YAML: %s".formatted(file, line, firstLine(e.getOriginalMessage())), e);
    } catch (IOException e) {
      throw new InvalidSettingException("%s: cannot be read: %s".formatted(file, reason(e)), e);
    }
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    return e instanceof CharacterCodingException ? "not UTF-8" : e.toString();
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("").strip();
  }

  private List<ExplicitValue> settings(JsonParser parser) throws IOException {
    List<ExplicitValue> values = new ArrayList<>();
    Set<Setting<?>> seen = new HashSet<>();
    JsonToken first = parser.nextToken();
    if (first == null) {
      return values;
    }
    if (first != JsonToken.START_OBJECT) {
      throw invalid(
          parser.currentTokenLocation().getLineNr(), "expected lines of the form NAME: VALUE");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      int line = parser.currentTokenLocation().getLineNr();
      String name = parser.currentName();
      Setting<?> setting = known.get(name.replace('_', '-'));
      if (setting == null) {
        throw invalid(line, name + ": unknown setting" + suggestion(name));
      }
      if (!seen.add(setting)) {
        throw invalid(line, name + ": is set twice");
      }
      JsonToken value = parser.nextToken();
      if (!value.isScalarValue() || value == JsonToken.VALUE_NULL) {
        throw invalid(line, name + ": expected a single value");
      }
      values.add(
          new ExplicitValue(
              setting, parser.getText(), new ValueSource.Line(file.toString(), line)));
    }
    return values;
  }

  private String suggestion(String misspelled) {
    return SpellingSuggestion.closest(misspelled.replace('_', '-'), List.copyOf(known.keySet()))
        .map("; did you mean %s?"::formatted)
        .orElse("");
  }

  private InvalidSettingException invalid(int line, String what) {
    return new InvalidSettingException("%s:%d: %s".formatted(file, line, what));
  }
}
