package io.entroq.server.cli.queue.rules;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.entroq.api.EntroQException;
import io.entroq.api.Policies;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A file of rules: {@code policies:} and a list, as YAML or JSON. Each item names a {@code queue},
 * {@code prefix} or {@code limiter}, and has its rules, all of them.
 */
public final class RulesFile {
  /** A larger file was named by mistake; also what the YAML parser reads at most. */
  private static final long BYTES_MAX = 3_000_000;

  private static final String TOP = "policies";
  private static final String VERSION = "version";

  /** What commands print besides the rules, so that their output can be applied. */
  private static final String STATE = "state";

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final JsonFactory YAML =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final Path file;

  public RulesFile(Path file) {
    this.file = file;
  }

  /**
   * An item of the file.
   *
   * @param version that the entry must have if its rules change; empty for any
   */
  public record Item(Policies.Rules rules, OptionalInt version) {}

  /**
   * Reads the file.
   *
   * @throws CommandException if it cannot be read or is not valid; the message names the line
   */
  public List<Item> read() {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new CommandException(
            "%s: is not a file of policies: it has more than %,d bytes".formatted(file, BYTES_MAX));
      }
      String text = Files.readString(file);
      // JSON may have tabs, which YAML refuses.
      JsonFactory format = text.stripLeading().startsWith("{") ? JSON : YAML;
      try (JsonParser parser = format.createParser(text)) {
        return items(parser);
      }
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      String why = e.getOriginalMessage().lines().findFirst().orElse("").strip();
      throw new CommandException("%s:%d: not valid: %s".formatted(file, line, why), e);
    } catch (NoSuchFileException e) {
      throw new CommandException(file + ": no such file", e);
    } catch (CharacterCodingException e) {
      throw new CommandException(file + ": not UTF-8", e);
    } catch (IOException e) {
      throw new CommandException("%s: cannot be read: %s".formatted(file, e), e);
    }
  }

  private List<Item> items(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT
        || parser.nextToken() != JsonToken.FIELD_NAME) {
      throw invalid(parser, "expected 'policies:' and a list of policies");
    }
    requireTop(parser);
    if (parser.nextToken() != JsonToken.START_ARRAY) {
      throw invalid(parser, "policies must be a list");
    }
    List<Item> items = new ArrayList<>();
    Set<Policies.Target> seen = new HashSet<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      Item item = item(parser);
      if (!seen.add(item.rules().target())) {
        throw invalid(parser, item.rules().target() + " is in the file twice");
      }
      items.add(item);
    }
    if (parser.nextToken() == JsonToken.FIELD_NAME) {
      requireTop(parser);
    }
    if (parser.nextToken() != null) {
      throw invalid(parser, "expected nothing after the policies");
    }
    return items;
  }

  private void requireTop(JsonParser parser) throws IOException {
    String name = parser.currentName();
    if (!name.equals(TOP)) {
      throw invalid(
          parser, "unknown key %s%s".formatted(name, RuleTexts.suggestion(name, List.of(TOP))));
    }
  }

  private Item item(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw invalid(parser, "expected a queue, prefix or limiter, and its rules");
    }
    int line = line(parser);
    Map<String, List<String>> texts = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      parser.nextToken();
      if (key.equals(STATE)) {
        parser.skipChildren();
      } else {
        texts.put(key, texts(parser, key));
      }
    }
    try {
      Policies.Target target = target(texts);
      OptionalInt version = version(target, texts.remove(VERSION));
      return new Item(rules(target, texts), version);
    } catch (EntroQException.InvalidArgument e) {
      throw new CommandException("%s:%d: %s".formatted(file, line, e.getMessage()), e);
    }
  }

  private List<String> texts(JsonParser parser, String key) throws IOException {
    List<String> texts = new ArrayList<>();
    if (RuleTexts.isList(key) && parser.currentToken() == JsonToken.START_ARRAY) {
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        texts.add(text(parser, key));
      }
    } else {
      texts.add(text(parser, key));
    }
    return texts;
  }

  private String text(JsonParser parser, String key) throws IOException {
    JsonToken token = parser.currentToken();
    if (!token.isScalarValue() || token == JsonToken.VALUE_NULL) {
      throw invalid(parser, key + ": expected a single value");
    }
    return parser.getText();
  }

  private static Policies.Rules rules(Policies.Target target, Map<String, List<String>> texts) {
    try {
      return RuleTexts.rules(target, texts);
    } catch (EntroQException.InvalidArgument e) {
      throw new EntroQException.InvalidArgument(target + ": " + e.getMessage());
    }
  }

  private static Policies.Target target(Map<String, List<String>> texts) {
    Policies.Target target = null;
    for (Policies.Kind kind : Policies.Kind.values()) {
      List<String> name = texts.remove(kind.name().toLowerCase(Locale.ROOT));
      if (name != null && target != null) {
        throw new EntroQException.InvalidArgument(
            target + ": names another, too; name only one queue, prefix or limiter");
      }
      target = name == null ? target : new Policies.Target(kind, name.get(0));
    }
    if (target == null) {
      throw new EntroQException.InvalidArgument("must name a queue, prefix or limiter");
    }
    return target;
  }

  private static OptionalInt version(Policies.Target target, List<String> text) {
    if (text == null) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Integer.parseUnsignedInt(text.get(0)));
    } catch (NumberFormatException e) {
      throw new EntroQException.InvalidArgument(
          "%s: version '%s' is not a whole number".formatted(target, text.get(0)));
    }
  }

  private CommandException invalid(JsonParser parser, String what) {
    return new CommandException("%s:%d: %s".formatted(file, line(parser), what));
  }

  private static int line(JsonParser parser) {
    return parser.currentTokenLocation().getLineNr();
  }
}
