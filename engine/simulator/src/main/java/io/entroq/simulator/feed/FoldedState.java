package io.entroq.simulator.feed;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/** The tasks, docs, doc sets and policies that effects have led to. One thread. */
final class FoldedState {
  private final Map<Key, Long> contents = new HashMap<>();
  private final CRC32C crc = new CRC32C();
  private final PolicyDecoder policy = new PolicyDecoder();

  private enum Kind {
    TASK,
    DOC,
    SET,
    POLICY
  }

  private record Key(Kind kind, long high, long low, String name) {}

  /** Adds what an effect has done. */
  void add(EffectReader effect) {
    switch (effect.kind()) {
      case EffectKinds.BREAKER_OPENED -> {
        // It changes none of them.
      }
      case EffectKinds.DELETED,
          EffectKinds.EXPIRED,
          EffectKinds.DROPPED,
          EffectKinds.DOC_DELETED,
          EffectKinds.SET_FORGOTTEN,
          EffectKinds.POLICY_DELETED ->
          contents.remove(key(effect));
      default -> contents.put(key(effect), content(effect));
    }
  }

  void clear() {
    contents.clear();
  }

  /** An item that another state does not have, or has otherwise; empty if they are equal. */
  Optional<String> difference(FoldedState other) {
    for (Map.Entry<Key, Long> each : contents.entrySet()) {
      if (!each.getValue().equals(other.contents.get(each.getKey()))) {
        return Optional.of(each.getKey().toString());
      }
    }
    return other.contents.keySet().stream()
        .filter(key -> !contents.containsKey(key))
        .findAny()
        .map(Key::toString);
  }

  private Key key(EffectReader effect) {
    if (effect.isOfTask()) {
      return new Key(Kind.TASK, effect.idHigh(), effect.idLow(), "");
    }
    if (effect.kind() == EffectKinds.SET_WRITTEN || effect.kind() == EffectKinds.SET_FORGOTTEN) {
      String name = text(effect, EffectParts.NAMESPACE) + "/" + text(effect, EffectParts.KEY);
      return new Key(Kind.SET, 0, 0, name);
    }
    if (effect.isOfDocs()) {
      String namespace = text(effect, EffectParts.NAMESPACE);
      return new Key(Kind.DOC, effect.idHigh(), effect.idLow(), namespace);
    }
    policy.wrap(
        effect.buffer(), effect.offset(EffectParts.POLICY), effect.length(EffectParts.POLICY));
    String name =
        effect.buffer().getStringWithoutLengthUtf8(policy.nameOffset(), policy.nameLength());
    return new Key(Kind.POLICY, policy.kind(), 0, name);
  }

  private static String text(EffectReader effect, int part) {
    return effect.has(part)
        ? effect.buffer().getStringWithoutLengthUtf8(effect.offset(part), effect.length(part))
        : "";
  }

  private long content(EffectReader effect) {
    long content = 0;
    content = mix(content, effect.attempt());
    content = mix(content, effect.insertSequence());
    content = mix(content, effect.createdMs());
    content = mix(content, effect.modifiedMs());
    content = mix(content, effect.valueKind());
    content = mix(content, effect.lapses());
    content = mix(content, effect.expiresMs());
    content = mix(content, effect.reason());
    content = mix(content, effect.deadAtMs());
    boolean isDoc =
        effect.kind() == EffectKinds.DOC_INSERTED || effect.kind() == EffectKinds.DOC_CHANGED;
    if (!isDoc) {
      // A doc has these, and the claimant's text, from its set, which changes later.
      content = mix(content, effect.version());
      content = mix(content, effect.count());
      content = mix(content, effect.dueMs());
      content = mix(content, effect.claimantHigh());
      content = mix(content, effect.claimantLow());
    }
    for (int part = 0; part <= EffectParts.VALUE; part++) {
      boolean isOfSet = isDoc && part == EffectParts.CLAIMANT_TEXT;
      if (effect.has(part) && part != EffectParts.FORMER_QUEUE && !isOfSet) {
        content = mix(content, part);
        content = mix(content, crc(effect, part));
      }
    }
    return content;
  }

  private static long mix(long content, long field) {
    return SeededRandom.mix(content * 31 + field);
  }

  private long crc(EffectReader effect, int part) {
    byte[] bytes = new byte[effect.length(part)];
    effect.buffer().getBytes(effect.offset(part), bytes);
    crc.reset();
    crc.update(bytes);
    return crc.getValue();
  }
}
