package io.entroq.engine.call;

import io.entroq.api.Doc;
import io.entroq.api.DocSet;
import io.entroq.api.Policies;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.spi.PolicyNumbers;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.wire.Ids;
import java.time.Instant;
import java.util.Optional;
import org.agrona.DirectBuffer;

/** Decodes effects. Not thread-safe. */
public final class EffectResults {
  /** By {@link EffectKinds}; null where there is none. */
  private static final EffectKind[] KINDS = kinds();

  private final PolicyDecoder policy = new PolicyDecoder();

  private static EffectKind[] kinds() {
    EffectKind[] kinds = new EffectKind[EffectKinds.BREAKER_OPENED + 1];
    kinds[EffectKinds.INSERTED] = EffectKind.INSERTED;
    kinds[EffectKinds.CLAIMED] = EffectKind.CLAIMED;
    kinds[EffectKinds.RENEWED] = EffectKind.RENEWED;
    kinds[EffectKinds.CHANGED] = EffectKind.CHANGED;
    kinds[EffectKinds.MOVED] = EffectKind.MOVED;
    kinds[EffectKinds.DELETED] = EffectKind.DELETED;
    kinds[EffectKinds.GIVEN_BACK] = EffectKind.GIVEN_BACK;
    kinds[EffectKinds.FAILED] = EffectKind.FAILED;
    kinds[EffectKinds.DIED] = EffectKind.DIED;
    kinds[EffectKinds.EXPIRED] = EffectKind.EXPIRED;
    kinds[EffectKinds.LAPSED] = EffectKind.LAPSED;
    kinds[EffectKinds.DROPPED] = EffectKind.DROPPED;
    kinds[EffectKinds.TAKEN_BACK] = EffectKind.TAKEN_BACK;
    kinds[EffectKinds.DOC_INSERTED] = EffectKind.DOC_INSERTED;
    kinds[EffectKinds.DOC_CHANGED] = EffectKind.DOC_CHANGED;
    kinds[EffectKinds.DOC_DELETED] = EffectKind.DOC_DELETED;
    kinds[EffectKinds.SET_WRITTEN] = EffectKind.SET_WRITTEN;
    kinds[EffectKinds.SET_FORGOTTEN] = EffectKind.SET_FORGOTTEN;
    kinds[EffectKinds.POLICY_WRITTEN] = EffectKind.POLICY_WRITTEN;
    kinds[EffectKinds.POLICY_DELETED] = EffectKind.POLICY_DELETED;
    kinds[EffectKinds.BREAKER_OPENED] = EffectKind.BREAKER_OPENED;
    return kinds;
  }

  /** The number of a kind, one of {@link EffectKinds}; not of an unknown one. */
  public static int number(EffectKind kind) {
    int number = EffectKinds.INSERTED;
    while (KINDS[number] != kind) {
      number++;
    }
    return number;
  }

  /**
   * An effect, while it is valid.
   *
   * @param position empty if it is part of the state with which the feed began
   */
  public Effect effect(EffectReader effect, Optional<FeedPosition> position) {
    StepFrame step = effect.step();
    boolean isSet = effect.isOfDocs() && effect.kind() >= EffectKinds.SET_WRITTEN;
    String former = effect.isOfTask() ? text(effect, EffectParts.FORMER_QUEUE) : "";
    return new Effect(
        KINDS[effect.kind()],
        position,
        Instant.ofEpochMilli(step.logTimeMs()),
        effect.isOfTask() ? Optional.of(task(effect)) : Optional.empty(),
        effect.isOfTask() ? effect.insertSequence() : 0,
        former.isEmpty() ? Optional.empty() : Optional.of(former),
        effect.isOfDocs() && !isSet ? Optional.of(doc(effect)) : Optional.empty(),
        isSet ? Optional.of(docSet(effect)) : Optional.empty(),
        effect.isOfTask() || effect.isOfDocs() ? Optional.empty() : Optional.of(policy(effect)),
        effect.isRequested() ? requester(step) : "",
        effect.wasInFlight(),
        effect.isFailed());
  }

  private static String requester(StepFrame step) {
    String text = text(step.buffer(), step.byTextOffset(), step.byTextLength());
    return Ids.v1Text(step.byHigh(), step.byLow(), text);
  }

  private static Task task(EffectReader effect) {
    return new Task(
        TaskId.of(id(effect)),
        effect.version(),
        text(effect, EffectParts.QUEUE),
        Instant.ofEpochMilli(effect.dueMs()),
        claimant(effect),
        value(effect),
        Instant.ofEpochMilli(effect.createdMs()),
        Instant.ofEpochMilli(effect.modifiedMs()),
        effect.count(),
        effect.attempt(),
        text(effect, EffectParts.ERR),
        attributes(effect));
  }

  private static Task.Attributes attributes(EffectReader effect) {
    return new Task.Attributes(
        effect.isInFlight(),
        effect.lapses(),
        effect.expiresMs() > 0
            ? Optional.of(Instant.ofEpochMilli(effect.expiresMs()))
            : Optional.empty(),
        ReplyReader.death(effect.reason(), text(effect, EffectParts.ORIGIN), effect.deadAtMs()),
        text(effect, EffectParts.TRACE));
  }

  private static Doc doc(EffectReader effect) {
    return new Doc(
        new Doc.Id(text(effect, EffectParts.NAMESPACE), id(effect)),
        effect.version(),
        claimant(effect),
        Instant.ofEpochMilli(effect.dueMs()),
        text(effect, EffectParts.KEY),
        text(effect, EffectParts.SECONDARY_KEY),
        value(effect),
        Instant.ofEpochMilli(effect.createdMs()),
        Instant.ofEpochMilli(effect.modifiedMs()));
  }

  private static DocSet docSet(EffectReader effect) {
    return new DocSet(
        text(effect, EffectParts.NAMESPACE),
        text(effect, EffectParts.KEY),
        effect.version(),
        claimant(effect),
        Instant.ofEpochMilli(effect.dueMs()),
        effect.count());
  }

  private Policies.Entry policy(EffectReader effect) {
    if (effect.kind() == EffectKinds.BREAKER_OPENED) {
      return new Policies.Entry(
          Policies.Target.queue(text(effect, EffectParts.QUEUE)),
          Optional.empty(),
          effect.version(),
          PolicyNumbers.pausedUntil(effect.dueMs()),
          0,
          Optional.empty());
    }
    policy.wrap(
        effect.buffer(), effect.offset(EffectParts.POLICY), effect.length(EffectParts.POLICY));
    return PolicyResults.entry(effect.buffer(), policy, effect.version(), effect.dueMs());
  }

  private static String id(EffectReader effect) {
    return Ids.v1Text(effect.idHigh(), effect.idLow(), text(effect, EffectParts.ID_TEXT));
  }

  private static String claimant(EffectReader effect) {
    return Ids.v1Text(
        effect.claimantHigh(), effect.claimantLow(), text(effect, EffectParts.CLAIMANT_TEXT));
  }

  private static Value value(EffectReader effect) {
    if (!effect.has(EffectParts.VALUE)) {
      return Value.absent();
    }
    byte[] value = new byte[effect.length(EffectParts.VALUE)];
    effect.buffer().getBytes(effect.offset(EffectParts.VALUE), value);
    return ReplyReader.value(effect.valueKind(), value);
  }

  private static String text(EffectReader effect, int part) {
    return text(effect.buffer(), effect.offset(part), effect.length(part));
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    return length == 0 ? "" : buffer.getStringWithoutLengthUtf8(offset, length);
  }
}
