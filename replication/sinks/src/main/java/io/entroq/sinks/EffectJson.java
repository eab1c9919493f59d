package io.entroq.sinks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.Doc;
import io.entroq.api.DocSet;
import io.entroq.api.Policies;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.FeedPosition;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Effects as JSON objects in one line, with the names that {@code entroq tail --json} uses. What
 * does not apply is left out.
 */
final class EffectJson {
  /** The field of the position. */
  static final String POSITION = "position";

  /** The kind of an object that has no more than a position. */
  static final String MARK = "mark";

  static final JsonFactory JSON = new JsonFactory();

  private final JsonGenerator out;

  private EffectJson(JsonGenerator out) {
    this.out = out;
  }

  static String of(Effect effect) {
    return written(json -> json.effect(effect));
  }

  static String ofMark(FeedPosition position) {
    return written(json -> json.head(MARK, Optional.of(position)));
  }

  private static String written(Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      out.writeStartObject();
      fields.write(new EffectJson(out));
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot happen in memory", e);
    }
    return text.toString();
  }

  /** What it is on: a task's id, or names that are unique together. */
  static String key(Effect effect) {
    return effect
        .task()
        .map(task -> task.id().text())
        .or(() -> effect.doc().map(doc -> doc.id().namespace() + "/" + doc.id().id()))
        .or(() -> effect.docSet().map(set -> set.namespace() + "/" + set.key()))
        .or(() -> effect.policy().map(policy -> policy.target().toString()))
        .orElse("");
  }

  static String kind(Effect effect) {
    return named(effect.kind().name());
  }

  private static String named(String constant) {
    return constant.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void effect(Effect effect) throws IOException {
    out.writeStringField("time", effect.time().toString());
    head(kind(effect), effect.position());
    if (effect.task().isPresent()) {
      task(effect, effect.task().get());
    } else if (effect.doc().isPresent()) {
      doc(effect.doc().get());
    } else if (effect.docSet().isPresent()) {
      docSet(effect.docSet().get());
    } else if (effect.policy().isPresent()) {
      policy(effect.kind(), effect.policy().get());
    }
    text("by", effect.requester());
  }

  private void head(String kind, Optional<FeedPosition> position) throws IOException {
    text(POSITION, position.map(FeedPosition::text).orElse(""));
    out.writeStringField("kind", kind);
  }

  private void task(Effect effect, Task task) throws IOException {
    text("queue", task.queue());
    text("formerQueue", effect.formerQueue().orElse(""));
    out.writeStringField("id", task.id().text());
    out.writeNumberField("version", task.version());
    out.writeNumberField("insertSequence", effect.insertSequence());
    out.writeStringField("at", task.arrivalTime().toString());
    text("claimant", task.claimant());
    number("claims", task.claims());
    number("attempt", task.attempt());
    text("err", task.err());
    number("lapses", task.lapses());
    text("reason", task.reason().map(reason -> named(reason.name())).orElse(""));
    text("origin", task.origin().orElse(""));
    flag("inFlight", task.isInFlight());
    flag("wasInFlight", effect.wasInFlight());
    flag("failed", effect.hasFailed());
    value(task.value());
  }

  private void doc(Doc doc) throws IOException {
    out.writeStringField("namespace", doc.id().namespace());
    text("key", doc.key());
    text("secondaryKey", doc.secondaryKey());
    out.writeStringField("id", doc.id().id());
    out.writeNumberField("version", doc.version());
    text("claimant", doc.claimant());
    value(doc.value());
  }

  private void docSet(DocSet set) throws IOException {
    out.writeStringField("namespace", set.namespace());
    text("key", set.key());
    out.writeNumberField("version", set.version());
    text("claimant", set.claimant());
  }

  private void policy(EffectKind kind, Policies.Entry policy) throws IOException {
    String until = policy.pausedUntil().map(EffectJson::pausedUntil).orElse("");
    if (kind == EffectKind.BREAKER_OPENED) {
      text("queue", policy.target().name());
      text("until", until);
      return;
    }
    out.writeStringField("policy", named(policy.target().kind().name()));
    out.writeStringField("name", policy.target().name());
    number("version", policy.version());
    text("pausedUntil", until);
  }

  private static String pausedUntil(Instant until) {
    return until.equals(Instant.MAX) ? "resumed" : until.toString();
  }

  private void value(Value value) throws IOException {
    if (value.kind() == Value.Kind.JSON) {
      out.writeFieldName("value");
      out.writeRawValue(value.asJson());
    } else if (value.kind() == Value.Kind.BYTES) {
      out.writeBinaryField("bytes", value.toBytes());
    }
  }

  private void text(String name, String text) throws IOException {
    if (!text.isEmpty()) {
      out.writeStringField(name, text);
    }
  }

  private void number(String name, int number) throws IOException {
    if (number != 0) {
      out.writeNumberField(name, number);
    }
  }

  private void flag(String name, boolean isSet) throws IOException {
    if (isSet) {
      out.writeBooleanField(name, true);
    }
  }

  /** Writes some fields of an object. */
  @FunctionalInterface
  private interface Fields {
    void write(EffectJson json) throws IOException;
  }
}
