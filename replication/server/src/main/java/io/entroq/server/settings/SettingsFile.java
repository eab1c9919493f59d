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

/** A configuration file: YAML, one line {@code name: value} for each setting that it is about. */
final class SettingsFile {
  /** Longer ones are no configuration, but were named by mistake. */
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
   * What it says.
   *
   * @throws WrongSettingException if it cannot be read, or says what is no setting; the message has
   *     the line
   */
  List<Given> read() {
    try {
      long bytes = Files.size(file);
      if (bytes > BYTES_MAX) {
        throw new WrongSettingException(
            "%s: has %d bytes, a configuration file has at most %d"
                .formatted(file, bytes, BYTES_MAX));
      }
      try (JsonParser parser = YAML.createParser(Files.readString(file))) {
        return settings(parser);
      }
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new WrongSettingException(
          "%s:%d: no YAML: %s".formatted(file, line, firstLine(e.getOriginalMessage())), e);
    } catch (IOException e) {
      throw new WrongSettingException("%s: cannot be read: %s".formatted(file, reason(e)), e);
    }
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    return e instanceof CharacterCodingException ? "it is not UTF-8" : e.toString();
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("").strip();
  }

  private List<Given> settings(JsonParser parser) throws IOException {
    List<Given> given = new ArrayList<>();
    Set<Setting<?>> seen = new HashSet<>();
    JsonToken first = parser.nextToken();
    if (first == null) {
      return given;
    }
    if (first != JsonToken.START_OBJECT) {
      throw wrong(
          parser.currentTokenLocation().getLineNr(), "lines of the form NAME: VALUE expected");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      int line = parser.currentTokenLocation().getLineNr();
      String name = parser.currentName();
      Setting<?> setting = known.get(name.replace('_', '-'));
      if (setting == null) {
        throw wrong(line, name + ": there is no such setting");
      }
      if (!seen.add(setting)) {
        throw wrong(line, name + ": stands there twice");
      }
      JsonToken value = parser.nextToken();
      if (!value.isScalarValue() || value == JsonToken.VALUE_NULL) {
        throw wrong(line, name + ": one value expected");
      }
      given.add(new Given(setting, parser.getText(), new Source.Line(file.toString(), line)));
    }
    return given;
  }

  private WrongSettingException wrong(int line, String what) {
    return new WrongSettingException("%s:%d: %s".formatted(file, line, what));
  }
}
