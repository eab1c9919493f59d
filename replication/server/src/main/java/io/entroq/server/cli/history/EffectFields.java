package io.entroq.server.cli.history;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.entroq.api.Doc;
import io.entroq.api.DocSet;
import io.entroq.api.Policies;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import io.entroq.api.feed.Effect;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.message.DeadReasons;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.log.EffectKind;
import io.entroq.tools.log.PolicyJson;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.agrona.DirectBuffer;

/** What an effect says, by name: for JSON and for text. What does not apply is left out. */
final class EffectFields {
  private static final String PREFIX = "EFFECT_";
  private static final Pattern PLAIN = Pattern.compile("[^\\s\"=\\p{Cntrl}]+");
  private static final String[] REASONS = {"", "failed", "lapsed", "expired", "overflow"};

  /** Text shows these without their names. */
  private static final List<String> UNNAMED = List.of("time", "position", "kind");

  private static final Value NO_VALUE = Value.bytes(new byte[0]);

  private final Map<String, Object> fields = new LinkedHashMap<>();

  private EffectFields() {}

  static EffectFields of(EffectReader effect) {
    EffectFields fields = new EffectFields();
    StepFrame step = effect.step();
    fields.put("time", time(step.logTimeMs()));
    fields.put("position", step.sequence() + "-" + effect.index());
    fields.put("kind", kindName(effect.kind()));
    if (effect.isOfTask()) {
      fields.task(effect);
    } else if (effect.isOfDocs()) {
      fields.doc(effect);
    } else if (effect.has(EffectParts.POLICY)) {
      fields.policy(effect);
    } else {
      fields.putText("queue", queue(effect));
      fields.put("until", time(effect.dueMs()));
    }
    if (effect.isRequested()) {
      String by = text(step.buffer(), step.byTextOffset(), step.byTextLength());
      fields.putText("by", Ids.v1Text(step.byHigh(), step.byLow(), by));
    }
    return fields;
  }

  static EffectFields of(Effect effect) {
    EffectFields fields = new EffectFields();
    fields.put("time", effect.time().toString());
    effect.position().ifPresent(at -> fields.put("position", at.sequence() + "-" + at.index()));
    fields.put("kind", named(effect.kind().name()));
    effect.task().ifPresent(task -> fields.task(effect, task));
    effect.doc().ifPresent(fields::doc);
    effect.docSet().ifPresent(fields::docSet);
    effect.policy().ifPresent(policy -> fields.policy(effect, policy));
    fields.putText("by", effect.requester());
    return fields;
  }

  private void task(Effect effect, Task task) {
    putText("queue", task.queue());
    putText("formerQueue", effect.formerQueue().orElse(""));
    put("id", task.id().text());
    put("version", task.version());
    put("at", task.arrivalTime().toString());
    putText("claimant", task.claimant());
    putNumber("claims", task.claims());
    putNumber("attempt", task.attempt());
    putText("err", task.err());
    putNumber("lapses", task.attributes().lapses());
    if (effect.kind() == io.entroq.api.feed.EffectKind.DIED) {
      task.reason().ifPresent(reason -> put("reason", named(reason.name())));
    }
    if (effect.wasInFlight()) {
      put("wasInFlight", true);
    }
  }

  private void doc(Doc doc) {
    putText("namespace", doc.id().namespace());
    putText("key", doc.key());
    putText("secondaryKey", doc.secondaryKey());
    putText("id", doc.id().id());
    put("version", doc.version());
    putText("claimant", doc.claimant());
  }

  private void docSet(DocSet set) {
    putText("namespace", set.namespace());
    putText("key", set.key());
    put("version", set.version());
    putText("claimant", set.claimant());
  }

  private void policy(Effect effect, Policies.Entry policy) {
    Policies.Target target = policy.target();
    if (effect.kind() == io.entroq.api.feed.EffectKind.BREAKER_OPENED) {
      putText("queue", target.name());
      policy.pausedUntil().ifPresent(until -> put("until", until.toString()));
      return;
    }
    put("policy", named(target.kind().name()));
    put("name", target.name());
    putNumber("version", policy.version());
    policy
        .pausedUntil()
        .ifPresent(
            until -> put("pausedUntil", until.equals(Instant.MAX) ? "resumed" : until.toString()));
  }

  private static String named(String constant) {
    return constant.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void task(EffectReader effect) {
    putText("queue", queue(effect));
    putText("formerQueue", formerQueue(effect));
    put("id", id(effect));
    put("version", effect.version());
    put("at", time(effect.dueMs()));
    putText("claimant", claimant(effect));
    putNumber("claims", effect.count());
    putNumber("attempt", effect.attempt());
    putText("err", part(effect, EffectParts.ERR));
    putNumber("lapses", effect.lapses());
    if (effect.kind() == EffectKinds.DIED && effect.reason() != DeadReasons.NONE) {
      put("reason", REASONS[effect.reason()]);
    }
    if (effect.wasInFlight()) {
      put("wasInFlight", true);
    }
  }

  private void doc(EffectReader effect) {
    putText("namespace", part(effect, EffectParts.NAMESPACE));
    putText("key", part(effect, EffectParts.KEY));
    putText("secondaryKey", part(effect, EffectParts.SECONDARY_KEY));
    putText("id", id(effect));
    put("version", effect.version());
    putText("claimant", claimant(effect));
  }

  private void policy(EffectReader effect) {
    PolicyDecoder policy = new PolicyDecoder();
    int offset = effect.offset(EffectParts.POLICY);
    policy.wrap(effect.buffer(), offset, effect.length(EffectParts.POLICY));
    put("policy", PolicyJson.kindName(policy.kind()));
    put("name", text(effect.buffer(), policy.nameOffset(), policy.nameLength()));
    putNumber("version", effect.version());
    if (effect.dueMs() == Long.MAX_VALUE) {
      put("pausedUntil", "resumed");
    } else if (effect.dueMs() > 0) {
      put("pausedUntil", time(effect.dueMs()));
    }
  }

  private void put(String name, Object value) {
    fields.put(name, value);
  }

  private void putText(String name, String value) {
    if (!value.isEmpty()) {
      fields.put(name, value);
    }
  }

  private void putNumber(String name, int value) {
    if (value != 0) {
      fields.put(name, value);
    }
  }

  /** Writes the members of an object. */
  void write(JsonGenerator json) throws IOException {
    for (Map.Entry<String, Object> field : fields.entrySet()) {
      json.writePOJOField(field.getKey(), field.getValue());
    }
  }

  /** One line: time, position and kind, and then names with values. */
  String line() {
    StringBuilder line = new StringBuilder();
    fields.forEach(
        (name, value) -> {
          line.append(line.isEmpty() ? "" : " ");
          line.append(UNNAMED.contains(name) ? value : name + "=" + quoted(value.toString()));
        });
    return line.toString();
  }

  private static String quoted(String value) {
    return PLAIN.matcher(value).matches()
        ? value
        : '"' + new String(JsonStringEncoder.getInstance().quoteAsString(value)) + '"';
  }

  /** An effect on a task, with what a sum of effects needs of it. */
  static Effect taskEffect(EffectReader effect) {
    String former = formerQueue(effect);
    Instant due = Instant.ofEpochMilli(effect.dueMs());
    Task task =
        new Task(
            TaskId.of(id(effect)),
            effect.version(),
            queue(effect),
            due,
            "",
            NO_VALUE,
            due,
            due,
            effect.count(),
            effect.attempt(),
            part(effect, EffectParts.ERR));
    return new Effect(
        kind(kindName(effect.kind())),
        Optional.empty(),
        Instant.ofEpochMilli(effect.step().logTimeMs()),
        Optional.of(task),
        effect.insertSequence(),
        former.isEmpty() ? Optional.empty() : Optional.of(former),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        effect.wasInFlight(),
        effect.isFailed());
  }

  static String time(long timeMs) {
    return Instant.ofEpochMilli(timeMs).toString();
  }

  static String queue(EffectReader effect) {
    return part(effect, EffectParts.QUEUE);
  }

  static String formerQueue(EffectReader effect) {
    return part(effect, EffectParts.FORMER_QUEUE);
  }

  static String id(EffectReader effect) {
    return Ids.v1Text(effect.idHigh(), effect.idLow(), part(effect, EffectParts.ID_TEXT));
  }

  private static String claimant(EffectReader effect) {
    return Ids.v1Text(
        effect.claimantHigh(), effect.claimantLow(), part(effect, EffectParts.CLAIMANT_TEXT));
  }

  static String part(EffectReader effect, int part) {
    return text(effect.buffer(), effect.offset(part), effect.length(part));
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    return length == 0 ? "" : buffer.getStringWithoutLengthUtf8(offset, length);
  }

  /** The name of a kind, as users write it. */
  static String kindName(int kind) {
    EffectKind known = EffectKind.forNumber(kind);
    return known == null ? Integer.toString(kind) : named(known.name().substring(PREFIX.length()));
  }

  /** The kind that users write so; must be one of {@link #kindNames}. */
  static io.entroq.api.feed.EffectKind kind(String name) {
    return io.entroq.api.feed.EffectKind.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** The names of all kinds, in the order of their numbers. */
  static List<String> kindNames() {
    return Arrays.stream(EffectKind.values())
        .filter(kind -> kind != EffectKind.UNRECOGNIZED && kind != EffectKind.EFFECT_NONE)
        .map(kind -> kindName(kind.getNumber()))
        .toList();
  }
}
