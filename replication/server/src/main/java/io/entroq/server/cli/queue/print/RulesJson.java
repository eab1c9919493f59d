package io.entroq.server.cli.queue.print;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.Policies;
import io.entroq.server.cli.queue.rules.RuleTexts;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** An entry of the policies as a JSON object; {@code entroq policy apply} reads it. */
public final class RulesJson {
  private RulesJson() {}

  /** Writes the members of the object. */
  public static void write(JsonGenerator json, Policies.Entry entry) throws IOException {
    Policies.Target target = entry.target();
    json.writeStringField(target.kind().name().toLowerCase(Locale.ROOT), target.name());
    Map<String, List<String>> texts = entry.rules().map(RuleTexts::of).orElse(Map.of());
    for (Map.Entry<String, List<String>> rule : texts.entrySet()) {
      write(json, rule.getKey(), rule.getValue());
    }
    json.writeNumberField("version", entry.version());
    json.writeObjectFieldStart("state");
    json.writeBooleanField("paused", entry.pausedUntil().isPresent());
    Optional<Instant> end = entry.pausedUntil().filter(time -> !time.equals(Instant.MAX));
    if (end.isPresent()) {
      json.writeStringField("paused-until", end.get().toString());
    }
    if (target.kind() == Policies.Kind.LIMITER) {
      json.writeNumberField("in-flight", entry.inFlight());
    }
    if (entry.nextStart().isPresent()) {
      json.writeStringField("next-start", entry.nextStart().get().toString());
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String key, List<String> values)
      throws IOException {
    json.writeFieldName(key);
    if (RuleTexts.isList(key)) {
      json.writeStartArray();
      for (String value : values) {
        json.writeString(value);
      }
      json.writeEndArray();
    } else if (RuleTexts.isNumber(key)) {
      json.writeNumber(values.get(0));
    } else {
      json.writeString(values.get(0));
    }
  }

  /** Until when an entry is paused, for a table. */
  public static String pause(Policies.Entry entry) {
    return entry
        .pausedUntil()
        .map(end -> end.equals(Instant.MAX) ? "until resumed" : end.toString())
        .orElse("-");
  }
}
