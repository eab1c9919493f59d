package io.entroq.engine.feed;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.message.PolicyDecoder;
import java.util.Set;
import java.util.TreeMap;

/** What effects leave behind: a line for each task, doc, doc set and policy. */
final class FoldedEffects {
  private static final Set<Integer> ENDS =
      Set.of(
          EffectKinds.DELETED,
          EffectKinds.EXPIRED,
          EffectKinds.DROPPED,
          EffectKinds.DOC_DELETED,
          EffectKinds.SET_FORGOTTEN,
          EffectKinds.POLICY_DELETED);

  final TreeMap<String, String> items = new TreeMap<>();

  void add(EffectReader effect) {
    if (effect.kind() == EffectKinds.BREAKER_OPENED) {
      return;
    }
    if (ENDS.contains(effect.kind())) {
      items.remove(key(effect));
    } else {
      items.put(key(effect), content(effect));
    }
  }

  private static String key(EffectReader effect) {
    if (effect.isOfTask()) {
      return "task %x %x".formatted(effect.idHigh(), effect.idLow());
    }
    if (effect.kind() == EffectKinds.SET_WRITTEN || effect.kind() == EffectKinds.SET_FORGOTTEN) {
      return "set " + part(effect, EffectParts.NAMESPACE) + " " + part(effect, EffectParts.KEY);
    }
    if (effect.isOfDocs()) {
      return "doc %s %x %x"
          .formatted(part(effect, EffectParts.NAMESPACE), effect.idHigh(), effect.idLow());
    }
    PolicyDecoder policy = new PolicyDecoder();
    policy.wrap(
        effect.buffer(), effect.offset(EffectParts.POLICY), effect.length(EffectParts.POLICY));
    return "policy %d %s"
        .formatted(
            policy.kind(),
            effect.buffer().getStringWithoutLengthUtf8(policy.nameOffset(), policy.nameLength()));
  }

  private static String content(EffectReader effect) {
    StringBuilder content =
        new StringBuilder(
            "%d %d %d %d %d"
                .formatted(
                    effect.attempt(),
                    effect.insertSequence(),
                    effect.createdMs(),
                    effect.modifiedMs(),
                    effect.valueKind()));
    if (effect.kind() != EffectKinds.DOC_INSERTED && effect.kind() != EffectKinds.DOC_CHANGED) {
      // A doc has these from its set, which changes later.
      content.append(
          " %d %d %d %x %x"
              .formatted(
                  effect.version(),
                  effect.count(),
                  effect.dueMs(),
                  effect.claimantHigh(),
                  effect.claimantLow()));
    }
    for (int part = 0; part <= EffectParts.VALUE; part++) {
      if (part != EffectParts.FORMER_QUEUE) {
        content.append(' ').append(part(effect, part));
      }
    }
    return content.toString();
  }

  private static String part(EffectReader effect, int part) {
    return effect.has(part)
        ? effect.buffer().getStringWithoutLengthAscii(effect.offset(part), effect.length(part))
        : "-";
  }
}
